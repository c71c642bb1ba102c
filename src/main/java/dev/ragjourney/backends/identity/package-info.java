/**
 * Signing in with the identity that a pod has, in place of a key.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}, {@code backends.http}; Jackson.
 */
@NullMarked
package dev.ragjourney.backends.identity;

import org.jspecify.annotations.NullMarked;
