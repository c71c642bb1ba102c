/**
 * What the operator reports. Durations are spelled as in the spec, shares are percentages, times
 * are RFC 3339; what is not known is null and left out.
 *
 * <p>May import: nothing of the project.
 */
@NullMarked
package dev.ragjourney.crd.status;

import org.jspecify.annotations.NullMarked;
