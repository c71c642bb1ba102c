package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects of the Prometheus operator made for this journey. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MonitoringSpec(
    @JsonPropertyDescription(
            "Auto makes a PodMonitor where its CRD exists, Always insists on it, "
                + "Never makes none. Default Auto.")
        @OneOf({"Auto", "Always", "Never"})
        @Nullable String podMonitor,
    @JsonPropertyDescription(
            "Auto makes a PrometheusRule where its CRD exists, Always insists on it, "
                + "Never makes none. Default Auto.")
        @OneOf({"Auto", "Always", "Never"})
        @Nullable String rules,
    @JsonPropertyDescription("Labels of these objects, by which a Prometheus selects them.")
        @Size(max = 32)
        @Nullable Map<String, String> labels) {}
