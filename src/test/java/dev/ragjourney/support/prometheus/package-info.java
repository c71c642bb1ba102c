/** A real Prometheus server, a small one in process, and something for them to scrape. */
@NullMarked
package dev.ragjourney.support.prometheus;

import org.jspecify.annotations.NullMarked;
