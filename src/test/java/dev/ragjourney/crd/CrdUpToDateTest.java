package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrdUpToDateTest {
  /**
   * The fields that users have, with what is demanded of each: of the last CRD that was written.
   */
  private static final Path FIELDS = Path.of("src", "test", "resources", "crd", "fields.txt");

  /** The system property with which a break is meant. */
  private static final String BREAK = "crd.break";

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

  @Test
  void what_users_have_is_taken_as_before() throws IOException {
    SortedMap<String, ObjectNode> now =
        CrdFieldList.of(Yaml.MAPPER.readTree(Crd.yaml(Crd.generate())));
    List<String> breaks = CrdCompatibility.breaks(CrdFieldList.read(Files.readString(FIELDS)), now);
    boolean meant = Boolean.getBoolean(BREAK);
    assertThat(meant ? List.of() : breaks)
        .as(
            "these changes break manifests and stored objects of the last CRD; if that is meant,"
                + " say why in the commit and add -Dcrd.break=true to the command below")
        .isEmpty();
    if (Boolean.getBoolean(Crd.WRITE)) {
      Files.writeString(FIELDS, CrdFieldList.write(now));
    }
    assertThat(FIELDS)
        .as("write it again with: mvn test -Dtest=CrdUpToDateTest -Dcrd.write=true")
        .hasContent(CrdFieldList.write(now));
  }
}
