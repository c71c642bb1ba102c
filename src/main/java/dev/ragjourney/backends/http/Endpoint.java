package dev.ragjourney.backends.http;

import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Reads addresses from a backend's settings. */
public final class Endpoint {
  private Endpoint() {}

  /**
   * The setting of this name as an absolute http or https address without the slash at its end.
   *
   * @throws IllegalArgumentException with the field, the value and what would be right
   */
  public static URI of(BackendPlan plan, String setting) {
    String value = plan.settings().get(setting);
    String where = plan.path(setting);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(where + " is missing, must be an address");
    }
    URI uri;
    try {
      uri = URI.create(value.strip().replaceAll("/+$", ""));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + " is \"" + value + "\", must be an address", e);
    }
    boolean http = "http".equalsIgnoreCase(uri.getScheme());
    boolean https = "https".equalsIgnoreCase(uri.getScheme());
    if (uri.getHost() == null || !(http || https)) {
      throw new IllegalArgumentException(
          where + " is \"" + value + "\", must begin with http:// or https:// and a host");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          where + " holds a user name or password; use headers with a secret instead");
    }
    return uri;
  }

  /** The address with more path; a query stays at the end. */
  public static URI plus(URI base, String path) {
    String query = base.getRawQuery() == null ? "" : "?" + base.getRawQuery();
    String whole = base.toString();
    int end = whole.indexOf('?');
    return URI.create(
        (end < 0 ? whole : whole.substring(0, end)).replaceAll("/+$", "") + path + query);
  }

  /** The address with one more parameter in its query. */
  public static URI withParameter(URI url, String name, String value) {
    String separator = url.getRawQuery() == null ? "?" : "&";
    return URI.create(url + separator + name + "=" + segment(value));
  }

  /** Any text as one part of a path, or as a value in a query. */
  public static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  public static boolean pathEndsWith(URI base, String path) {
    return base.getPath() != null && base.getPath().endsWith(path);
  }
}
