package dev.ragjourney.budget;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a level changes about one stage's time.
 *
 * @param stage the stage's name
 * @param minRemaining the level is possible at this stage only with more than this left; null
 *     derives it
 * @param floor the stage's floor at this level; null derives it
 */
public record LevelStage(String stage, @Nullable Duration minRemaining, @Nullable Duration floor) {}
