package dev.ragjourney.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.budget.Durations;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a journey one question: a test for those who have nothing but this image. */
@Command(
    name = "ask",
    mixinStandardHelpOptions = true,
    description = {
      "Asks a journey a question and prints the answer as JSON.",
      "Ends with 0 when the answer was found in time, with 1 when it was not."
    })
final class AskCommand implements Callable<Integer> {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration LONGEST_ANSWER = Duration.ofMinutes(1);
  private static final long PAUSE_MILLIS = 500;

  @Option(
      names = "--within",
      paramLabel = "DURATION",
      defaultValue = "0s",
      converter = GepDuration.class,
      description =
          "Ask again until there is an answer, at most this long, like 3m. Once if unset.")
  private Duration within = Duration.ZERO;

  @Parameters(index = "0", paramLabel = "URL", description = "Where the journey is asked.")
  private URI url = URI.create("http://localhost");

  @Parameters(index = "1", paramLabel = "QUESTION", description = "What is asked.")
  private String question = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Durations as in the resource. */
  static final class GepDuration implements CommandLine.ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      try {
        return Durations.parse(value);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }

  /**
   * @param found in time, by the journey's own stages or from an earlier answer
   */
  private record Reply(boolean found, String text) {}

  @Override
  public Integer call() throws InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    Reply reply;
    try (HttpClient client = HttpClient.newHttpClient()) {
      reply = ask(client);
      while (!reply.found() && end - System.nanoTime() > 0) {
        Thread.sleep(PAUSE_MILLIS);
        reply = ask(client);
      }
    }
    PrintWriter out = reply.found() ? spec.commandLine().getOut() : spec.commandLine().getErr();
    out.println(reply.text());
    out.flush();
    return reply.found() ? 0 : 1;
  }

  private Reply ask(HttpClient client) throws InterruptedException {
    URI target = URI.create(url.toString().replaceFirst("/*$", "") + "/v1/ask");
    try {
      HttpRequest request =
          HttpRequest.newBuilder(target)
              .timeout(LONGEST_ANSWER)
              .header("content-type", "application/json")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      JSON.writeValueAsString(Map.of("question", question))))
              .build();
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200
          ? answer(response.body())
          : new Reply(false, "%s: %d %s".formatted(target, response.statusCode(), response.body()));
    } catch (IOException e) {
      String message = e.getMessage();
      return new Reply(
          false, target + ": " + (message == null ? e.getClass().getSimpleName() : message));
    }
  }

  /** A static message is an answer to a person, and none to a test. */
  private static Reply answer(String body) {
    try {
      JsonNode answer = JSON.readTree(body);
      boolean found =
          !answer.path("content").asText().isBlank() && !answer.path("overBudget").asBoolean(true);
      return new Reply(found, body);
    } catch (JsonProcessingException e) {
      return new Reply(false, "this is no answer: " + body);
    }
  }
}
