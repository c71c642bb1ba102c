package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import org.junit.jupiter.api.Test;

class DisplacedTest {
  private static final Service WANTED = service(port("http", 80, null), port("admin", 81, null));

  @Test
  void ports_in_their_places_need_nothing_whatever_the_api_server_added() {
    Service live = service(port("http", 80, "TCP"), port("admin", 81, "TCP"));
    assertThat(Displaced.putBack(WANTED, live)).isEmpty();
  }

  @Test
  void a_port_of_somebody_else_is_left_alone() {
    Service live =
        service(port("mesh", 15_090, "TCP"), port("http", 80, "TCP"), port("admin", 81, "TCP"));
    assertThat(Displaced.putBack(WANTED, live)).isEmpty();
  }

  @Test
  void a_port_that_is_missing_is_applied_and_not_put_back() {
    assertThat(Displaced.putBack(WANTED, service(port("http", 80, "TCP")))).isEmpty();
  }

  @Test
  void a_changed_number_is_put_back_where_it_is_if_it_is_still_that() {
    Service live =
        service(port("mesh", 15_090, "TCP"), port("http", 8080, "TCP"), port("admin", 81, "TCP"));
    assertThat(Displaced.putBack(WANTED, live))
        .contains(
            "[{\"op\":\"test\",\"path\":\"/spec/ports/1/port\",\"value\":8080},"
                + "{\"op\":\"replace\",\"path\":\"/spec/ports/1/port\",\"value\":80}]");
  }

  @Test
  void a_changed_number_of_a_container_is_found_by_the_names_of_both() {
    assertThat(Displaced.putBack(deployment("pipeline", 8080), deployment("pipeline", 9090)))
        .contains(
            "[{\"op\":\"test\",\"path\":\"/spec/template/spec/containers/0/ports/0/containerPort\",\"value\":9090},"
                + "{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/ports/0/containerPort\",\"value\":8080}]");
    assertThat(Displaced.putBack(deployment("pipeline", 8080), deployment("mesh", 9090))).isEmpty();
  }

  private static Service service(ServicePort... ports) {
    return new ServiceBuilder().withNewSpec().withPorts(ports).endSpec().build();
  }

  private static ServicePort port(String name, int number, String protocol) {
    return new ServicePortBuilder().withName(name).withPort(number).withProtocol(protocol).build();
  }

  private static Deployment deployment(String container, int port) {
    return new DeploymentBuilder()
        .withNewSpec()
        .withNewTemplate()
        .withNewSpec()
        .addNewContainer()
        .withName(container)
        .withPorts(new ContainerPortBuilder().withName("http").withContainerPort(port).build())
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
