/** What a user does with the whole system on a real cluster, and what must come of it. */
@NullMarked
package dev.ragjourney.e2e;

import org.jspecify.annotations.NullMarked;
