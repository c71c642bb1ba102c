/**
 * The journey loop: stages run under one deadline, through ports that backends fill in.
 *
 * <p>May import: {@code budget}.
 */
@NullMarked
package dev.ragjourney.pipeline;

import org.jspecify.annotations.NullMarked;
