/**
 * Rerank services (Cohere's and Jina's shape, which many servers speak) and
 * text-embeddings-inference.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}, {@code backends.http}; Jackson.
 */
@NullMarked
package dev.ragjourney.backends.rerank;

import org.jspecify.annotations.NullMarked;
