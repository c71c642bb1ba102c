package dev.ragjourney.server;

import java.util.Optional;

/** Whose question it is. */
final class Tenant {
  static final String HEADER = "x-rag-tenant";
  private static final int MAX_CHARACTERS = 256;

  private Tenant() {}

  /**
   * @param header wins where it is there: a gateway sets it, a body is the caller's own word
   * @param user from the body; empty where it names nobody
   */
  static String of(Optional<String> header, String user) throws RefusedException {
    String tenant = header.orElse(user).strip();
    if (tenant.length() > MAX_CHARACTERS) {
      throw RequestJson.wrong(
          "%s has more than %d characters"
              .formatted(header.isPresent() ? HEADER : "\"user\"", MAX_CHARACTERS));
    }
    return tenant;
  }
}
