package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The last of the scenarios: what the operator asked for in all of them, and what it was told. */
@DisplayName("Over all scenarios the operator was refused nothing and used what it is granted")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(Integer.MAX_VALUE)
class RightsClusterE2E {
  /**
   * Needed all the same: the framework refuses to start without the first and then renews by
   * patches; the others need a journey that gives up what it had, which {@link
   * GrantedRightsApiServerIT} has.
   */
  private static final Set<String> UNUSED =
      Set.of(
          "update leases",
          "delete podmonitors",
          "delete prometheusrules",
          "delete serviceaccounts");

  private AuditLog log;
  private List<AuditLog.Entry> requests;

  @BeforeAll
  void read() throws IOException {
    try (Cluster cluster = Cluster.connect()) {
      log = AuditLog.of(cluster);
    }
    requests =
        log.ofServiceAccounts(Cluster.SYSTEM).stream()
            .filter(entry -> entry.user().endsWith(":ragjourney-operator"))
            .toList();
  }

  @Test
  void it_was_refused_nothing_that_had_not_been_taken_away() throws IOException {
    Rights rights = new Rights(log.changes(Rights.GRANTING));
    assertThat(requests).isNotEmpty();
    assertThat(requests)
        .filteredOn(Rights::refused)
        .filteredOn(entry -> !rights.takenFrom(entry))
        .isEmpty();
  }

  @Test
  void it_used_all_that_it_is_granted() throws IOException {
    Set<String> granted = Rights.granted("{}");
    Set<String> unused = new TreeSet<>(granted);
    unused.removeAll(Rights.used(requests));
    Cluster.report(
        "Of %d rights the operator used all but %s in %d requests"
            .formatted(granted.size(), unused, requests.size()));
    assertThat(unused).isEqualTo(UNUSED);
  }
}
