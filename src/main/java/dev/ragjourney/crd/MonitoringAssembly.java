package dev.ragjourney.crd;

import dev.ragjourney.crd.parsed.Monitoring;
import dev.ragjourney.crd.parsed.Monitoring.Wanted;
import dev.ragjourney.crd.spec.MonitoringSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The monitoring section with its defaults resolved. */
final class MonitoringAssembly {
  private MonitoringAssembly() {}

  static Monitoring assemble(@Nullable MonitoringSpec spec) {
    return spec == null
        ? new Monitoring(Wanted.AUTO, Wanted.AUTO, Map.of())
        : new Monitoring(
            wanted(spec.podMonitor()),
            wanted(spec.rules()),
            spec.labels() == null ? Map.of() : spec.labels());
  }

  private static Wanted wanted(@Nullable String label) {
    return RebalanceAssembly.labelled(Wanted.values(), Wanted::label, label, Wanted.AUTO);
  }
}
