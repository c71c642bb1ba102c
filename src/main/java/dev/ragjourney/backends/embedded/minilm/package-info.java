/**
 * The all-MiniLM-L6-v2 sentence model (quantized, 384 dimensions) in this process: text to token
 * vectors, on a few platform threads, ended when nobody wants the result any more.
 *
 * <p>May import: {@code pipeline}, onnxruntime, Jackson.
 */
@NullMarked
package dev.ragjourney.backends.embedded.minilm;

import org.jspecify.annotations.NullMarked;
