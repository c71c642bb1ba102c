package dev.ragjourney.backends.rerank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.support.Backends;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RerankStyleTest {
  @ParameterizedTest(name = "{0} at {1} is called at {2}")
  @CsvSource({
    "COHERE,https://api.cohere.com,https://api.cohere.com/v2/rerank",
    "COHERE,https://api.cohere.com/v2,https://api.cohere.com/v2/rerank",
    "JINA,http://vllm:8000,http://vllm:8000/v1/rerank",
    "JINA,http://vllm:8000/v1,http://vllm:8000/v1/rerank",
    "JINA,http://llama/rerank,http://llama/rerank"
  })
  void addresses(RerankStyle style, String base, String expected) {
    assertThat(style.address(URI.create(base))).hasToString(expected);
  }

  @Test
  void an_unknown_style_is_refused() {
    assertThatThrownBy(
            () ->
                RerankBackend.open(
                    Backends.plan("r", "rerank", URI.create("http://a"), "style", "cohere"),
                    Path.of("/none")))
        .hasMessage("backends[r].rerank.style is \"cohere\", must be Cohere or Jina");
  }

  @Test
  void an_unknown_truncate_is_refused() {
    assertThatThrownBy(
            () ->
                TeiBackend.open(
                    Backends.plan("t", "tei", URI.create("http://a"), "truncate", "yes"),
                    Path.of("/none")))
        .hasMessage("backends[t].tei.truncate is \"yes\", must be true or false");
  }
}
