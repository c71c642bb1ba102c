package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrdUpToDateTest {
  /** The chart has a copy: Helm reads nothing outside of its folder. */
  @ParameterizedTest(name = "the file in {0} is what the records make")
  @ValueSource(strings = {"crds", "charts/ragjourney/files/crds"})
  void the_files_are_what_the_records_make(String folder) throws IOException {
    Path file = Path.of(folder).resolve(Crd.FILE.getFileName());
    String made = Crd.yaml(Crd.generate());
    if (Boolean.getBoolean(Crd.WRITE)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, made);
    }
    assertThat(file)
        .as("write it again with: mvn test -Dtest=CrdUpToDateTest -Dcrd.write=true")
        .hasContent(made);
  }
}
