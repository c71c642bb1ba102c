package dev.ragjourney.prometheus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The credentials of a query. Files are read for every query, so that a rotated one is used. */
final class Authorization {
  private Authorization() {}

  /** The header's value; null for none. */
  static @Nullable String of(PrometheusSettings settings) throws QueryFailedException {
    Path tokenFile = settings.bearerTokenFile();
    PrometheusSettings.BasicAuth basic = settings.basicAuth();
    if (tokenFile != null) {
      return "Bearer " + line(tokenFile, "token");
    }
    if (basic != null) {
      String pair =
          line(basic.usernameFile(), "user name") + ":" + line(basic.passwordFile(), "password");
      return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
    return null;
  }

  /** What to look at when the server refuses the credentials. */
  static String question(PrometheusSettings settings) {
    PrometheusSettings.BasicAuth basic = settings.basicAuth();
    if (settings.bearerTokenFile() != null) {
      return "is the token in " + settings.bearerTokenFile() + " right?";
    }
    return basic == null
        ? "no token and no password file is configured"
        : "are the user name in %s and the password in %s right?"
            .formatted(basic.usernameFile(), basic.passwordFile());
  }

  /** The file's only line. Line breaks would end the header. */
  private static String line(Path file, String what) throws QueryFailedException {
    String text = new String(content(file, what), StandardCharsets.UTF_8).strip();
    if (text.isEmpty() || text.chars().anyMatch(Character::isISOControl)) {
      throw new QueryFailedException("the " + what + " in " + file + " is not one line of text");
    }
    return text;
  }

  static byte[] content(Path file, String what) throws QueryFailedException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new QueryFailedException("the " + what + " file " + file + " cannot be read");
    }
  }
}
