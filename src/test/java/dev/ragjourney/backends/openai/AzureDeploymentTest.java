package dev.ragjourney.backends.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.plan.BackendPlan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzureDeploymentTest {
  @ParameterizedTest(name = "{0} of version {1} is called at {2}")
  @CsvSource({
    "https://r.openai.azure.com,,https://r.openai.azure.com/openai/deployments/big?api-version=2024-10-21,true",
    "https://r.openai.azure.com/,,https://r.openai.azure.com/openai/deployments/big?api-version=2024-10-21,true",
    "https://r.openai.azure.com/openai,,https://r.openai.azure.com/openai/deployments/big?api-version=2024-10-21,true",
    "https://r.openai.azure.com,2025-04-01-preview,https://r.openai.azure.com/openai/deployments/big?api-version=2025-04-01-preview,true",
    "https://r.openai.azure.com,2024-09-01-preview,https://r.openai.azure.com/openai/deployments/big?api-version=2024-09-01-preview,true",
    "https://r.openai.azure.com,2024-08-01-preview,https://r.openai.azure.com/openai/deployments/big?api-version=2024-08-01-preview,false",
    "https://r.openai.azure.com/openai/v1,,https://r.openai.azure.com/openai/v1,true",
    "https://r.openai.azure.com/openai/v1/,,https://r.openai.azure.com/openai/v1,true",
    "https://r.openai.azure.com/openai/v1,preview,https://r.openai.azure.com/openai/v1?api-version=preview,true",
    "https://gateway.example/team?key=1,,https://gateway.example/team/openai/deployments/big?key=1&api-version=2024-10-21,true"
  })
  void addresses(String endpoint, @Nullable String apiVersion, String url, boolean current) {
    AzureDeployment deployment = AzureDeployment.of(plan(endpoint, "big", apiVersion));

    assertThat(deployment.url()).hasToString(url);
    assertThat(deployment.name()).isEqualTo("big");
    assertThat(deployment.current()).isEqualTo(current);
  }

  @Test
  void a_name_that_is_no_plain_word_stays_one_part_of_the_path() {
    assertThat(AzureDeployment.of(plan("https://r.example", "a b/c?d", null)).url().getRawPath())
        .isEqualTo("/openai/deployments/a%20b%2Fc%3Fd");
  }

  @Test
  void a_deployment_must_be_named() {
    assertThatThrownBy(() -> AzureDeployment.of(plan("https://r.example", " ", null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("backends[llm].azureOpenai.deployment is missing, must name a deployment");
  }

  private static BackendPlan plan(String endpoint, String deployment, @Nullable String apiVersion) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("endpoint", endpoint);
    settings.put("deployment", deployment);
    if (apiVersion != null) {
      settings.put("apiVersion", apiVersion);
    }
    return new BackendPlan(
        "llm", "azureOpenai", settings, Map.of(), List.of(), null, 1000, 100, Map.of());
  }
}
