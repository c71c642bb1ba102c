/**
 * A folder of text files turned into passages: found, read, divided at headings, packed to a size
 * that one vector can stand for.
 *
 * <p>May import: {@code pipeline}, jsoup, commonmark, Jackson.
 */
@NullMarked
package dev.ragjourney.backends.embedded.documents;

import org.jspecify.annotations.NullMarked;
