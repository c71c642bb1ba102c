package dev.ragjourney.crd;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Addresses of backends. */
final class Urls {
  private static final String RIGHT =
      "write an http or https address with a host, without user or password";

  private Urls() {}

  /**
   * A sentence that says what is wrong; null for an address that is right. Never shows a password.
   */
  static @Nullable String complaint(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException wrong) {
      return "The address cannot be read (" + wrong.getReason() + "); " + RIGHT + ".";
    }
    if (uri.getRawAuthority() != null && uri.getRawAuthority().contains("@")) {
      return "The address holds a user; " + RIGHT + ", and put credentials into a Secret.";
    }
    if (!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
      return "'" + text + "' is not an http address; " + RIGHT + ".";
    }
    return uri.getHost() == null ? "'" + text + "' has no host; " + RIGHT + "." : null;
  }
}
