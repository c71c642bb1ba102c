package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.pipeline.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountedFileTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path secrets;
  private MountedFile file;

  @BeforeEach
  void mount() throws IOException {
    Files.createDirectories(secrets.resolve("llm"));
    file = new MountedFile(secrets, "llm/token");
  }

  @Test
  void the_file_is_read_again_a_second_later_and_not_before() throws Exception {
    write("one");
    assertThat(file.headerValue(0)).isEqualTo("one");

    write("two");

    assertThat(file.headerValue(SECOND - 1)).isEqualTo("one");
    assertThat(file.headerValue(SECOND)).isEqualTo("two");
  }

  @Test
  void a_file_that_is_there_later_is_found() throws Exception {
    assertThatThrownBy(() -> file.headerValue(0))
        .isInstanceOf(BackendException.class)
        .hasMessage("key \"token\" of Secret or ConfigMap \"llm\" is not mounted or not readable");

    write("one");

    assertThat(file.headerValue(1)).isEqualTo("one");
  }

  @ParameterizedTest(name = "content {0} cannot be a header")
  @ValueSource(strings = {"", " \n", "a\nb", "schlüssel", "a\u0000b"})
  void content_that_no_header_may_have(String content) throws Exception {
    write(content);

    assertThatThrownBy(() -> file.headerValue(0))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).isEqualTo(BackendException.Kind.NOT_READY))
        .hasMessageStartingWith("key \"token\" of Secret or ConfigMap \"llm\" ")
        .hasMessageNotContaining("schl");
  }

  private void write(String content) throws IOException {
    Files.writeString(secrets.resolve("llm/token"), content);
  }
}
