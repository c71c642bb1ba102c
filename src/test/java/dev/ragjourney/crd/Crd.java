package dev.ragjourney.crd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** The CustomResourceDefinition as the records make it. */
final class Crd {
  /** From the project's root. */
  static final Path FILE = Path.of("crds", "ragjourneys.ragjourney.dev.yaml");

  /** The system property that writes generated files before they are compared. */
  static final String WRITE = "crd.write";

  private static final String HEAD =
      """
      # Made from the records of dev.ragjourney.crd. To write it again:
      #   mvn test -Dtest=CrdUpToDateTest -Dcrd.write=true
      """;

  private Crd() {}

  static CustomResourceDefinition generate() {
    AtomicReference<CustomResourceDefinition> made = new AtomicReference<>();
    try (Discarded output = new Discarded()) {
      new CRDGenerator()
          .customResourceClasses(RagJourney.class)
          .withParallelGenerationEnabled(false)
          .withOutput(output)
          .withPostProcessor(
              new CRDPostProcessor() {
                @Override
                public HasMetadata process(HasMetadata crd, String crdSpecVersion) {
                  made.set(CrdFinish.finish((CustomResourceDefinition) crd));
                  return crd;
                }
              })
          .generate();
    }
    return made.get();
  }

  static String yaml(CustomResourceDefinition crd) {
    ObjectMapper mapper =
        new ObjectMapper(
            YAMLFactory.builder()
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build());
    try {
      return HEAD + mapper.writeValueAsString(crd);
    } catch (JsonProcessingException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  /** The generator writes one file a resource; the object itself is what is wanted. */
  private static final class Discarded implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {
    @Override
    public ByteArrayOutputStream outputFor(String crdName) throws IOException {
      return new ByteArrayOutputStream();
    }

    @Override
    public void close() {}
  }
}
