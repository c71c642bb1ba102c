/**
 * Servers that speak OpenAI's API: answers, rewritten questions, vectors.
 *
 * <p>May import: {@code pipeline}, {@code budget}, {@code plan}, {@code backends.http}, {@code
 * backends.identity}; openai-java over this project's own HTTP transport.
 */
@NullMarked
package dev.ragjourney.backends.openai;

import org.jspecify.annotations.NullMarked;
