/**
 * A server that speaks the protocols of the remote backends and misbehaves as it is told, in tests,
 * in the local demo and as a pod of its own.
 */
@NullMarked
package dev.ragjourney.support.scripted;

import org.jspecify.annotations.NullMarked;
