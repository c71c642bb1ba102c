package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class CrdUpToDateTest {
  @Test
  void the_file_in_crds_is_what_the_records_make() throws IOException {
    String made = Crd.yaml(Crd.generate());
    if (Boolean.getBoolean(Crd.WRITE)) {
      Files.createDirectories(Crd.FILE.getParent());
      Files.writeString(Crd.FILE, made);
    }
    assertThat(Crd.FILE)
        .as("write it again with: mvn test -Dtest=CrdUpToDateTest -Dcrd.write=true")
        .hasContent(made);
  }
}
