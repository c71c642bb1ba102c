package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a journey is: its budget, its stages, how it degrades, and what it runs on. */
@ValidationRule(
    value =
        "has(self.documents) || (has(self.stages) && self.stages.exists(s, "
            + "s.type == 'Search') && self.stages.all(s, s.type != 'Search' || "
            + "has(s.backend)))",
    message = "the embedded search needs documents; give them, or a backend to every Search stage")
@ValidationRule(
    value =
        "!has(self.stages) || self.stages.all(s, !has(s.backend) || (s.backend "
            + "== 'embedded' || (has(self.backends) && self.backends.exists(b, b.name "
            + "== s.backend))))",
    message = "stages[].backend must name an entry of backends")
@ValidationRule(
    value =
        "!has(self.stages) || self.stages.all(s, !has(s.fallback) || "
            + "!has(s.fallback.backend) || (s.fallback.backend == 'embedded' || "
            + "(has(self.backends) && self.backends.exists(b, b.name == "
            + "s.fallback.backend))))",
    message = "stages[].fallback.backend must name an entry of backends")
@ValidationRule(
    value =
        "!has(self.stages) || self.stages.all(s, !has(s.cap) || duration(s.cap) "
            + "<= duration(self.budget.total))",
    message = "no cap may be above budget.total")
@ValidationRule(
    value =
        "!has(self.stages) || self.stages.all(s, !has(s.capRange) || "
            + "!has(s.capRange.max) || duration(s.capRange.max) <= "
            + "duration(self.budget.total))",
    message = "no capRange.max may be above budget.total")
@ValidationRule(
    value =
        "!has(self.stages) || self.stages.all(s, !has(s.fallback) || "
            + "((!has(s.fallback.cap) || duration(s.fallback.cap) <= "
            + "duration(self.budget.total)) && (!has(s.fallback.minRemaining) || "
            + "duration(s.fallback.minRemaining) <= duration(self.budget.total))))",
    message = "fallback.cap and fallback.minRemaining must not be above budget.total")
@ValidationRule(
    value =
        "!has(self.stages) || self.stages.map(s, duration(has(s.floor) ? s.floor "
            + ": '0s')).sum() < duration(self.budget.total)",
    message = "the floors must leave something of budget.total")
@ValidationRule(
    value =
        "!has(self.stages) || size(self.stages) == 0 || self.stages[size(self.stages) - 1].type != 'Tool' "
            + "|| (has(self.budget.countTo) && self.budget.countTo == 'LastToken')",
    message = "a Tool after Generate needs budget.countTo: LastToken")
@ValidationRule(
    value =
        "!has(self.fallbackLevels) || self.fallbackLevels.all(l, !has(l.skip) || "
            + "l.skip.all(n, has(self.stages) ? self.stages.exists(s, s.name == n && "
            + "s.type != 'Generate') : n in ['embed', 'search', 'rerank']))",
    message = "skip must name stages, and not Generate")
@ValidationRule(
    value =
        "!has(self.fallbackLevels) || self.fallbackLevels.all(l, !has(l.stages) "
            + "|| l.stages.all(c, (has(self.stages) ? self.stages.exists(s, s.name == "
            + "c.name) : c.name in ['embed', 'search', 'rerank', 'generate'])))",
    message = "fallbackLevels[].stages must name stages")
@ValidationRule(
    value =
        "!has(self.fallbackLevels) || self.fallbackLevels.all(l, !has(l.stages) "
            + "|| l.stages.all(c, !has(c.backend) || (c.backend == 'embedded' || "
            + "(has(self.backends) && self.backends.exists(b, b.name == c.backend)))))",
    message = "fallbackLevels[].stages[].backend must name an entry of backends")
@ValidationRule(
    value =
        "!has(self.fallbackLevels) || self.fallbackLevels.all(l, "
            + "(!has(l.minRemaining) || duration(l.minRemaining) < "
            + "duration(self.budget.total)) && (!has(l.stages) || l.stages.all(c, "
            + "(!has(c.minRemaining) || duration(c.minRemaining) < "
            + "duration(self.budget.total)) && (!has(c.floor) || duration(c.floor) < "
            + "duration(self.budget.total)))))",
    message = "minRemaining and floor of a level must be below budget.total")
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
        @ValidationRule(
            value = "self.all(a, self.exists_one(b, b.name == a.name))",
            message = "stage names must be unique")
        @ValidationRule(
            value =
                "self.exists_one(s, s.type == 'Generate') && (self[size(self) - 1].type "
                    + "== 'Generate' || (size(self) > 1 && self[size(self) - 1].type == 'Tool' "
                    + "&& self[size(self) - 2].type == 'Generate'))",
            message = "there must be exactly one Generate stage, the last but for one Tool")
        @ValidationRule(
            value =
                "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].all(i, i >= "
                    + "size(self) || !has(self[i].parallel) || (has(self[i - 1].parallel) && "
                    + "self[i - 1].parallel == self[i].parallel) || [0, 1, 2, 3, 4, 5, 6, 7, "
                    + "8, 9, 10, 11, 12, 13, 14].all(j, j >= i || !has(self[j].parallel) || "
                    + "self[j].parallel != self[i].parallel))",
            message = "stages with the same parallel value must follow one another")
        @ValidationRule(
            value =
                "self.all(a, !has(a.parallel) || !(a.type in ['Rewrite', 'Embed', 'Rerank']) || "
                    + "self.exists_one(b, b.type == a.type && has(b.parallel) && b.parallel == "
                    + "a.parallel))",
            message = "of stages side by side only one may be Rewrite, one Embed and one Rerank")
        @ValidationRule(
            value =
                "self.all(a, !has(a.parallel) || a.type != 'Rerank' || !self.exists(b, b.type == "
                    + "'Search' && has(b.parallel) && b.parallel == a.parallel))",
            message = "a Rerank cannot run beside a Search; it ranks what was found before")
        @Nullable List<StageSpec> stages,
    @JsonPropertyDescription(
            "The ladder, best level first: by falling minRemaining, then levels with answer; "
                + "the last one is answer: Static. Chosen at every decision point; a journey "
                + "never climbs back. Wholly given or wholly default; the default is full (from "
                + "50 % of the total), fast (from 25 %, optional stages skipped, topK halved) and "
                + "sorry (a static message); full and fast begin earlier where the floors need "
                + "more.")
        @Size(min = 1, max = 8)
        @ValidationRule(
            value = "self.all(a, self.exists_one(b, b.name == a.name))",
            message = "level names must be unique")
        @ValidationRule(
            value = "size(self) == 0 || !has(self[0].answer)",
            message = "the first level must run the stages")
        @ValidationRule(
            value =
                "size(self) > 0 && has(self[size(self) - 1].answer) && self[size(self) - 1].answer == 'Static'",
            message = "the last level must be answer: Static")
        @ValidationRule(
            value = "self.exists_one(l, has(l.answer) && l.answer == 'Static')",
            message = "only the last level may be answer: Static")
        @ValidationRule(
            value =
                "[1, 2, 3, 4, 5, 6, 7].all(i, i >= size(self) || has(self[i].answer) || "
                    + "(!has(self[i - 1].answer) && has(self[i - 1].minRemaining) && "
                    + "has(self[i].minRemaining) && duration(self[i - 1].minRemaining) > "
                    + "duration(self[i].minRemaining)))",
            message =
                "levels must be ordered best first: falling minRemaining, levels with "
                    + "answer last")
        @Nullable List<LevelSpec> fallbackLevels,
    @JsonPropertyDescription(
            "The systems that stages and levels refer to by name. A stage that names "
                + "none runs embedded.")
        @Size(max = 32)
        @Nullable List<BackendSpec> backends,
    @JsonPropertyDescription(
            "Answers of earlier questions, for the level with answer: SemanticCache and, "
                + "with upFront, before any stage. Without fallbackLevels it adds such a level.")
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
