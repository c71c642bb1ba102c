/**
 * The HTTP face of a pipeline pod.
 *
 * <p>May import: {@code pipeline}, {@code plan}, {@code budget}, {@code telemetry}, {@code
 * backends}.
 */
@NullMarked
package dev.ragjourney.server;

import org.jspecify.annotations.NullMarked;
