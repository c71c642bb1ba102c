/**
 * Prometheus collectors, spans and degradation events, as listeners of the pipeline.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}.
 */
@NullMarked
package dev.ragjourney.telemetry;

import org.jspecify.annotations.NullMarked;
