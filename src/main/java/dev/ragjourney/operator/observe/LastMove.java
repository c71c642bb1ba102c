package dev.ragjourney.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.ragjourney.crd.status.CapChangeStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last move of the caps, kept beside the plan it led to.
 *
 * @param time RFC 3339
 * @param reason a code
 * @param changes durations as the resource spells them
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LastMove(String time, String reason, List<CapChangeStatus> changes) {
  public LastMove {
    changes = List.copyOf(changes);
  }

  /** Null when the time cannot be read. */
  public java.time.@Nullable Instant at() {
    try {
      return java.time.Instant.parse(time);
    } catch (java.time.format.DateTimeParseException e) {
      return null;
    }
  }
}
