package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {
  @ParameterizedTest(name = "status {0} is {1}, another attempt may cure it: {2}")
  @CsvSource({
    "301,REFUSED,false",
    "400,REFUSED,false",
    "403,REFUSED,false",
    "408,BACKEND_TIMEOUT,true",
    "413,REFUSED,false",
    "424,SERVER_ERROR,false",
    "429,OVERLOADED,true",
    "499,REFUSED,false",
    "500,SERVER_ERROR,false",
    "502,SERVER_ERROR,false",
    "503,OVERLOADED,true",
    "504,BACKEND_TIMEOUT,true"
  })
  void kinds(int status, Kind expected, boolean retryable) {
    assertThat(Failures.kindOf(status)).isEqualTo(expected);
    assertThat(expected.retryable()).isEqualTo(retryable);
  }

  @ParameterizedTest(name = "{0} gives: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"error":{"code":"invalid_api_key","message":"key sk-123 is wrong"}} | llm: status 401 (invalid_api_key)
          {"error":{"type":"rate_limit","code":null}}                          | llm: status 401 (rate_limit)
          {"error":"the prompt was: secret","error_type":"Overloaded"}         | llm: status 401 (Overloaded)
          {"error":{"code":"sk-abc123def456"}}                                 | llm: status 401
          {"error":{"code":"a sentence about it"}}                             | llm: status 401
          {"error":{"code":17}}                                                | llm: status 401
          {"detail":"x"}                                                       | llm: status 401
          """)
  void only_a_short_code_of_the_answer_gets_into_the_message(String body, String expected)
      throws Exception {
    BackendException failure =
        Failures.ofStatus("llm", 401, null, new ObjectMapper().readTree(body), ErrorWords.NONE);

    assertThat(failure).hasMessage(expected).hasNoCause();
  }

  @ParameterizedTest(name = "{0} gives: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"status":{"error":"no such thing as secret"}} | llm: status 404 (nothing of that name)
          {"error":{"code":"not_found"}}                 | llm: status 404 (not_found)
          {"status":{"error":"something else"}}          | llm: status 404
          """)
  void a_service_without_codes_has_words_of_its_own(String body, String expected) throws Exception {
    ErrorWords words =
        (status, answer) ->
            status == 404 && answer.toString().contains("no such") ? "nothing of that name" : null;

    assertThat(Failures.ofStatus("llm", 404, null, new ObjectMapper().readTree(body), words))
        .hasMessage(expected);
  }

  @ParameterizedTest(name = "retry-after \"{0}\" gives: {1}")
  @CsvSource({
    "2,llm: status 429; asks to wait 2 s",
    "soon,llm: status 429",
    "-1,llm: status 429",
    "99999999999,llm: status 429"
  })
  void waiting(String retryAfter, String expected) {
    assertThat(Failures.ofStatus("llm", 429, retryAfter, null, ErrorWords.NONE))
        .hasMessage(expected);
  }

  @Test
  void what_broke_is_told_in_our_words() {
    assertThat(Failures.ofConnection("x", new ConnectException("to 10.0.0.1")))
        .hasMessage("x: no connection: refused, or no such host");
    assertThat(Failures.ofConnection("x", new HttpConnectTimeoutException("t")))
        .hasMessage("x: no connection within the connect time-out");
    assertThat(Failures.ofConnection("x", new SSLHandshakeException("PKIX")))
        .hasMessage("x: no trusted TLS connection");
    assertThat(Failures.ofConnection("x", new IOException("EOF")))
        .hasMessage("x: the connection broke")
        .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE));
    assertThat(Failures.ofConnection("x", new IOException(new BoundedBody.TooLong(5))))
        .hasMessage("x: the answer is longer than 5 bytes")
        .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.INVALID_ANSWER));
  }
}
