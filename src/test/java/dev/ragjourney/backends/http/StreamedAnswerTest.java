package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StreamedAnswerTest {
  @Test
  void a_stream_of_short_lines_is_read_whole() throws IOException {
    byte[] lines = "data: x\n\n".repeat(200_000).getBytes(StandardCharsets.US_ASCII);

    assertThat(answer(new ByteArrayInputStream(lines)).readAllBytes()).isEqualTo(lines);
  }

  @Test
  void a_line_that_never_ends_is_given_up_at_its_bound() {
    Endless endless = new Endless((byte) ' ');

    assertThatThrownBy(() -> answer(endless).transferTo(OutputStream.nullOutputStream()))
        .isInstanceOf(BoundedBody.TooLong.class)
        .hasMessage("the answer is longer than " + StreamedAnswer.MAX_LINE + " bytes");
    assertThat(endless.read).isLessThan(2L * StreamedAnswer.MAX_LINE);
  }

  @Test
  void a_stream_that_never_ends_is_given_up_at_its_bound() {
    Endless endless = new Endless((byte) '\n');

    assertThatThrownBy(() -> answer(endless).transferTo(OutputStream.nullOutputStream()))
        .isInstanceOf(BoundedBody.TooLong.class)
        .hasMessage("the answer is longer than " + StreamedAnswer.MAX_BYTES + " bytes");
    assertThat(endless.read).isLessThan(StreamedAnswer.MAX_BYTES + (1 << 20));
  }

  private static StreamedAnswer answer(InputStream body) {
    return new StreamedAnswer(body);
  }

  private static final class Endless extends InputStream {
    private final byte filler;
    private long read;

    Endless(byte filler) {
      this.filler = filler;
    }

    @Override
    public int read() {
      read++;
      return filler;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      Arrays.fill(bytes, offset, offset + length, filler);
      read += length;
      return length;
    }
  }
}
