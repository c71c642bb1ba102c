package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class ResourcePageTest {
  private static final ResourcePage PAGE = new ResourcePage(Crd.generate());

  @Test
  void every_object_of_the_resource_has_its_table() throws IOException {
    assertThat(ResourcePage.pathsIn(Files.readString(ResourcePage.FILE)))
        .containsExactlyInAnyOrderElementsOf(PAGE.paths());
  }

  @Test
  void the_tables_are_what_the_schema_says() throws IOException {
    String page = Files.readString(ResourcePage.FILE);
    String filled = PAGE.fill(page);
    if (Boolean.getBoolean(Crd.WRITE)) {
      Files.writeString(ResourcePage.FILE, filled);
    }
    assertThat(ResourcePage.FILE)
        .as("write it again with: mvn test -Dtest=ResourcePageTest -Dcrd.write=true")
        .hasContent(filled);
  }
}
