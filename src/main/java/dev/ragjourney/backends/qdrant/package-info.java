/**
 * Search in a collection of Qdrant, by its REST API.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}, {@code backends.http}; Jackson.
 */
@NullMarked
package dev.ragjourney.backends.qdrant;

import org.jspecify.annotations.NullMarked;
