/**
 * The entry point: picks a mode, reads the environment, wires the objects. Nothing imports it.
 *
 * <p>May import: everything.
 */
@NullMarked
package dev.ragjourney.app;

import org.jspecify.annotations.NullMarked;
