/**
 * Backends that need no server: an embedding model, a hybrid index over a folder of documents, a
 * reranker and an extractive answerer, all in this process.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}, Lucene.
 */
@NullMarked
package dev.ragjourney.backends.embedded;

import org.jspecify.annotations.NullMarked;
