/**
 * An embedded Kubernetes API server: enough of the real one's behaviour for the operator, its
 * tests, the local cluster and a real {@code kubectl}, in this process and in memory.
 */
@NullMarked
package dev.ragjourney.support.kubernetes;

import org.jspecify.annotations.NullMarked;
