/** A real Prometheus server and something for it to scrape. */
@NullMarked
package dev.ragjourney.support.prometheus;

import org.jspecify.annotations.NullMarked;
