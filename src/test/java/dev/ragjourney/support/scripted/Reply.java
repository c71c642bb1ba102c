package dev.ragjourney.support.scripted;

import java.util.List;

/**
 * The body of a 200.
 *
 * @param contentType its type
 * @param stream pieces are events with gaps between them, else one document
 * @param pieces in the order in which they are sent
 */
record Reply(String contentType, boolean stream, List<String> pieces) {
  Reply {
    pieces = List.copyOf(pieces);
  }

  static Reply json(String body) {
    return new Reply("application/json", false, List.of(body));
  }

  static Reply events(List<String> events) {
    return new Reply("text/event-stream", true, events);
  }

  String whole() {
    return String.join("", pieces);
  }
}
