/**
 * Azure AI Search: words and vectors in one query, and the service's own semantic ranker within the
 * time that the call has.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}, {@code backends.http}; Jackson.
 */
@NullMarked
package dev.ragjourney.backends.azure;

import org.jspecify.annotations.NullMarked;
