package dev.ragjourney.backends.http;

/** How a service wants to be shown its API key. */
public enum KeyHeader {
  BEARER("Authorization", "Bearer "),
  API_KEY("api-key", "");

  private final String header;
  private final String prefix;

  KeyHeader(String header, String prefix) {
    this.header = header;
    this.prefix = prefix;
  }

  String header() {
    return header;
  }

  String prefix() {
    return prefix;
  }
}
