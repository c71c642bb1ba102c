package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A table of PostgreSQL with pgvector. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PgvectorBackend(
    @JsonPropertyDescription(
            "JDBC address, such as jdbc:postgresql://db.example:5432/corpus; without "
                + "user or password.")
        @Required
        @Pattern(Shape.JDBC_URL)
        @Size(min = 1, max = 1024)
        @Nullable String url,
    @JsonPropertyDescription("The table, with its schema where needed.")
        @Required
        @Size(min = 1, max = 128)
        @Nullable String table,
    @JsonPropertyDescription("Column with the text of a passage. Default content.")
        @Size(min = 1, max = 63)
        @Nullable String contentColumn,
    @JsonPropertyDescription("Column with the vector of a passage. Default embedding.")
        @Size(min = 1, max = 63)
        @Nullable String vectorColumn,
    @JsonPropertyDescription(
            "How vectors are compared: Cosine, L2 or InnerProduct. Default Cosine.")
        @OneOf({"Cosine", "L2", "InnerProduct"})
        @Nullable String distance,
    @JsonPropertyDescription("hnsw.ef_search of a query. Default that of the database.")
        @Min(1)
        @Max(1000)
        @Nullable Integer ef,
    @JsonPropertyDescription("Name to sign in with.") @Size(min = 1, max = 63)
        @Nullable String username,
    @JsonPropertyDescription("The password of username.") @Nullable SecretSource password) {}
