package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;

/**
 * A rung of the ladder, as far as time goes.
 *
 * @param name unique within the journey
 * @param answer where the answer comes from
 * @param minRemaining the level needs more than this left; zero for cached and static levels
 * @param skip names of stages that do not run at this level
 * @param stages what the level changes about single stages
 */
public record FallbackLevel(
    String name,
    AnswerSource answer,
    Duration minRemaining,
    List<String> skip,
    List<LevelStage> stages) {
  public FallbackLevel {
    skip = List.copyOf(skip);
    stages = List.copyOf(stages);
  }
}
