/**
 * A cluster on one machine with nothing but a JDK: an embedded API server, the real operator,
 * pipeline pods as processes. For trying things out; the product does not carry it.
 */
@NullMarked
package dev.ragjourney.local;

import org.jspecify.annotations.NullMarked;
