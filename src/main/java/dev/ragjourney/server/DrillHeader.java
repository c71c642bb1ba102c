package dev.ragjourney.server;

import dev.ragjourney.pipeline.Drill;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.StageRoute;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code x-rag-drill: STAGE=timeout} or {@code =error}: the caller wants to see what happens when
 * that stage fails. Only journeys that declare {@code drill} take it.
 */
final class DrillHeader {
  static final String NAME = "x-rag-drill";

  private DrillHeader() {}

  static @Nullable Drill read(Optional<String> header, Route route) throws RefusedException {
    if (header.isEmpty()) {
      return null;
    }
    if (!route.policy().drills()) {
      throw new RefusedException(
          new Problem(
              403,
              "Forbidden",
              "the journey %s takes no drills; its owner allows them with spec.drill"
                  .formatted(route.journey())));
    }
    String[] parts = header.get().strip().split("=", -1);
    List<String> stages = route.stages().stream().map(StageRoute::name).toList();
    if (parts.length == 2 && stages.contains(parts[0].strip())) {
      for (Drill.Failure failure : Drill.Failure.values()) {
        if (failure.label().equals(parts[1].strip())) {
          return new Drill(parts[0].strip(), failure);
        }
      }
    }
    throw RequestJson.wrong(
        "%s is \"%s\"; send STAGE=FAILURE with one of the stages %s and one of %s"
            .formatted(
                NAME,
                RequestJson.shortened(header.get()),
                stages,
                Arrays.stream(Drill.Failure.values()).map(Drill.Failure::label).toList()));
  }
}
