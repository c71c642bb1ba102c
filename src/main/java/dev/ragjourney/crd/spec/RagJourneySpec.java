package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a journey is: its budget, its stages, how it degrades, and what it runs on. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RagJourneySpec(
    @JsonPropertyDescription("How long a user is willing to wait, and how that time is counted.")
        @Required
        @Nullable BudgetSpec budget,
    @JsonPropertyDescription("Which shares of missed and of degraded answers are acceptable.")
        @Nullable ObjectiveSpec objective,
    @JsonPropertyDescription(
            "Enforce cuts a stage at its allowance. Observe only counts what would "
                + "have been cut; the answer still comes at the deadline. Default Enforce.")
        @OneOf({"Enforce", "Observe"})
        @Nullable String enforcement,
    @JsonPropertyDescription(
            "The documents of the embedded search. Needed unless every Search stage "
                + "names another backend.")
        @Nullable DocumentsSpec documents,
    @JsonPropertyDescription(
            "The steps of a journey in the order in which they run; neighbours with "
                + "the same parallel value run side by side. Exactly one is Generate, and "
                + "it is the last (a Tool may follow it). Wholly given or wholly default; "
                + "the default is embed, search, rerank (optional) and generate, all "
                + "embedded.")
        @Size(min = 1, max = 16)
        @Nullable List<StageSpec> stages,
    @JsonPropertyDescription(
            "The ladder, best level first: by falling minRemaining, then levels with "
                + "answer; the last one is answer: Static. Chosen at every decision point; "
                + "a journey never climbs back. Wholly given or wholly default; the "
                + "default is full (from 50 % of the total), fast (from 25 %, optional "
                + "stages skipped, topK halved) and sorry (a static message).")
        @Size(min = 1, max = 8)
        @Nullable List<LevelSpec> fallbackLevels,
    @JsonPropertyDescription(
            "The systems that stages and levels refer to by name. A stage that names "
                + "none runs embedded.")
        @Size(max = 32)
        @Nullable List<BackendSpec> backends,
    @JsonPropertyDescription(
            "Answers of earlier questions, kept for levels with answer: " + "SemanticCache.")
        @Nullable SemanticCacheSpec semanticCache,
    @JsonPropertyDescription(
            "Forced failures of one stage at a time, which keep every rung of the "
                + "ladder proven.")
        @Nullable DrillSpec drill,
    @JsonPropertyDescription("How caps follow the measured latencies.")
        @Nullable RebalanceSpec rebalance,
    @JsonPropertyDescription("The pods that run the pipeline.") @Nullable WorkloadSpec workload,
    @JsonPropertyDescription("Objects of the Prometheus operator made for this journey.")
        @Nullable MonitoringSpec monitoring) {}
