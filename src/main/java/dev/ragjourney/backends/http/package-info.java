/**
 * Calls to backends over HTTP: one client a backend, whose calls really end when they are cut off.
 * Also the adapters of the journey's own JSON protocol.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}; the JDK's HTTP client, Jackson.
 */
@NullMarked
package dev.ragjourney.backends.http;

import org.jspecify.annotations.NullMarked;
