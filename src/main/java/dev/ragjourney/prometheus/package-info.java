/**
 * Query text, response parsing and the latency source over Prometheus' HTTP API.
 *
 * <p>May import: {@code rebalance}, {@code plan}, {@code budget}.
 */
@NullMarked
package dev.ragjourney.prometheus;

import org.jspecify.annotations.NullMarked;
