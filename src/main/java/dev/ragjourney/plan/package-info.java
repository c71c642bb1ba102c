/**
 * The only document a pod reads, its reader and writer, and the names pod and operator share.
 *
 * <p>May import: {@code budget} and Jackson.
 */
@NullMarked
package dev.ragjourney.plan;

import org.jspecify.annotations.NullMarked;
