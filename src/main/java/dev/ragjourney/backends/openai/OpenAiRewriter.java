package dev.ragjourney.backends.openai;

import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.Turn;
import java.util.List;
import java.util.Map;

/** Asks a chat model for a better search query. */
final class OpenAiRewriter implements Rewriter {
  /** A longer search query is a model that talks instead of rewriting. */
  private static final int MAX_CHARACTERS = 2000;

  private final SdkCalls calls;
  private final ChatRequests requests;

  OpenAiRewriter(SdkCalls calls, ChatRequests requests) {
    this.calls = calls;
    this.requests = requests;
  }

  @Override
  public String rewrite(StageCall call, String question, List<Turn> earlier, String instructions)
      throws BackendException, CallCancelledException {
    ChatCompletionCreateParams request = requests.rewrite(question, earlier, instructions);
    return calls.run(
        call,
        false,
        Map.of(),
        client -> query(client.chat().completions().create(request), calls.backend()));
  }

  private static String query(ChatCompletion answer, String backend) throws BackendException {
    List<ChatCompletion.Choice> choices = answer._choices().asKnown().orElse(List.of());
    if (choices.isEmpty()) {
      throw Failures.invalid(backend, "the answer has no choice");
    }
    ChatCompletion.Choice choice = choices.getFirst();
    String finishReason =
        choice._finishReason().asKnown().map(reason -> reason.asString()).orElse("");
    if (finishReason.equals(Failures.CONTENT_FILTER)) {
      throw Failures.invalid(
          backend, "the content filter of the service withheld the rewritten question");
    }
    if (!finishReason.equals("stop")) {
      throw Failures.invalid(
          backend, "the rewritten question is not complete: its finish reason is not stop");
    }
    String query =
        choice
            ._message()
            .asKnown()
            .flatMap(message -> message._content().asKnown())
            .map(OpenAiRewriter::unquoted)
            .orElse("");
    if (query.isEmpty()) {
      throw Failures.invalid(backend, "the rewritten question is empty");
    }
    if (query.length() > MAX_CHARACTERS) {
      throw Failures.invalid(
          backend, "a question of " + query.length() + " characters, at most " + MAX_CHARACTERS);
    }
    return query;
  }

  /** Models like to quote the one thing they were asked for. */
  private static String unquoted(String text) {
    String stripped = text.strip();
    boolean quoted = stripped.length() > 1 && stripped.startsWith("\"") && stripped.endsWith("\"");
    return quoted ? stripped.substring(1, stripped.length() - 1).strip() : stripped;
  }
}
