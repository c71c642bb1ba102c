package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A system that does the work of stages: a name and exactly one kind. */
@ValidationRule(
    value =
        "[has(self.embedded), has(self.openai), has(self.azureOpenai), "
            + "has(self.tei), has(self.rerank), has(self.azureSearch), "
            + "has(self.elasticsearch), has(self.opensearch), has(self.pgvector), "
            + "has(self.qdrant), has(self.weaviate), has(self.pinecone), "
            + "has(self.http)].filter(x, x).size() == 1",
    message = "exactly one kind of backend must be set")
@ValidationRule(
    value = "self.name != 'embedded' || has(self.embedded)",
    message = "embedded is the name of the backend inside the pod")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BackendSpec(
    @JsonPropertyDescription(
            "Name of the backend, unique within the journey; a label of its metrics. "
                + "embedded is kept for the embedded kind.")
        @Required
        @Pattern(Shape.NAME)
        @Nullable String name,
    @JsonPropertyDescription("Free labels such as provider and region; labels of its metrics.")
        @Size(max = 8)
        @Nullable Map<String, String> labels,
    @JsonPropertyDescription("Headers sent with every call.") @Size(max = 16)
        @Nullable List<HeaderSpec> headers,
    @JsonPropertyDescription("How the server is trusted.") @Nullable TlsSpec tls,
    @JsonPropertyDescription("The most a connection may take to open. Default 1s.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String connectTimeout,
    @JsonPropertyDescription(
            "The most calls that one pod makes to it at once, retries, second copies "
                + "and fallbacks included. A call beyond that waits within its own time. "
                + "Default 100, 32 for the embedded kind.")
        @Min(1)
        @Max(10000)
        @Nullable Integer maxConcurrent,
    @JsonPropertyDescription(
            "Runs inside the pod: MiniLM embedder, Lucene index, reranker on token "
                + "vectors, extractive answers. For Embed, Search, Rerank and Generate.")
        @Nullable EmbeddedBackend embedded,
    @JsonPropertyDescription(
            "OpenAI or a server that speaks its API (vLLM, Ollama, llama.cpp). For "
                + "Rewrite, Embed and Generate.")
        @Nullable OpenAiBackend openai,
    @JsonPropertyDescription("Azure OpenAI. For Rewrite, Embed and Generate.")
        @Nullable AzureOpenAiBackend azureOpenai,
    @JsonPropertyDescription("Hugging Face text-embeddings-inference. For Embed and Rerank.")
        @Nullable TeiBackend tei,
    @JsonPropertyDescription("A rerank API in the shape of Cohere or Jina. For Rerank.")
        @Nullable RerankBackend rerank,
    @JsonPropertyDescription("Azure AI Search. For Search.")
        @Nullable AzureSearchBackend azureSearch,
    @JsonPropertyDescription("Elasticsearch. For Search.")
        @Nullable SearchEngineBackend elasticsearch,
    @JsonPropertyDescription("OpenSearch. For Search.") @Nullable SearchEngineBackend opensearch,
    @JsonPropertyDescription("PostgreSQL with pgvector. For Search.")
        @Nullable PgvectorBackend pgvector,
    @JsonPropertyDescription("Qdrant. For Search.") @Nullable VectorStoreBackend qdrant,
    @JsonPropertyDescription("Weaviate. For Search.") @Nullable VectorStoreBackend weaviate,
    @JsonPropertyDescription("Pinecone. For Search.") @Nullable VectorStoreBackend pinecone,
    @JsonPropertyDescription(
            "An HTTP service of your own, handed the deadline. For Tool, Search, "
                + "Rerank, Rewrite and Embed.")
        @Nullable HttpBackend http) {}
