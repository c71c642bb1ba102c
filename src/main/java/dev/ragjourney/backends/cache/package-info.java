/**
 * Answers of earlier questions, found by the nearness of vectors and kept apart by the words that
 * decide: two questions share an answer only if both say so.
 *
 * <p>May import: {@code pipeline}, {@code budget}, Lucene.
 */
@NullMarked
package dev.ragjourney.backends.cache;

import org.jspecify.annotations.NullMarked;
