package dev.ragjourney.backends.azure;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What an error of the service means; many of them come with an empty code. */
final class AzureSearchErrors {
  private AzureSearchErrors() {}

  static @Nullable String meaning(int status, JsonNode body) {
    return switch (status) {
      case 401, 403 -> "the key is not accepted";
      case 404 -> "no index of that name";
      default -> null;
    };
  }
}
