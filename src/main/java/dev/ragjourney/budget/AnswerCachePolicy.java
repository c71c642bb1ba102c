package dev.ragjourney.budget;

import java.time.Duration;

/**
 * How answers of earlier questions are kept.
 *
 * @param maxEntries answers kept in one pod
 * @param ttl how long an answer is kept
 * @param minSimilarity the least cosine between two questions that share an answer, 0 to 1
 * @param upFront a hit answers at once, not only at a level that answers from the cache
 */
public record AnswerCachePolicy(
    int maxEntries, Duration ttl, double minSimilarity, boolean upFront) {}
