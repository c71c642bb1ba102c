/** What several tests share. */
@NullMarked
package dev.ragjourney.support;

import org.jspecify.annotations.NullMarked;
