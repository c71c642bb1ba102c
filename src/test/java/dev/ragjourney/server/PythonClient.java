package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * OpenAI's Python SDK. {@code RAGJOURNEY_TEST_PYTHON} names an interpreter that has it, as {@code
 * .ci/run} makes one; without the variable these tests are left out, with a wrong one they fail.
 */
final class PythonClient {
  private static final String VARIABLE = "RAGJOURNEY_TEST_PYTHON";
  private static final Path SCRIPT = Path.of("src/test/python/openai_client.py");

  private final String interpreter;

  private PythonClient(String interpreter) {
    this.interpreter = interpreter;
  }

  static PythonClient required() {
    String interpreter = System.getenv(VARIABLE);
    assumeTrue(
        interpreter != null,
        () ->
            VARIABLE
                + " is not set: the Python SDK is not tried (pip install -r "
                + SCRIPT.resolveSibling("requirements.txt")
                + ")");
    assertThat(Path.of(interpreter)).as(VARIABLE).isExecutable();
    return new PythonClient(interpreter);
  }

  JsonNode run(URI base, String what) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("python", ".err");
    Process process =
        new ProcessBuilder(interpreter, SCRIPT.toString(), base.toString(), what)
            .redirectError(errors.toFile())
            .start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the script has ended").isTrue();
      assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
      return TestPod.JSON.readTree(out);
    } finally {
      process.destroyForcibly();
      Files.delete(errors);
    }
  }
}
