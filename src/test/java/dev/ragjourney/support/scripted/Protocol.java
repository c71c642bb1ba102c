package dev.ragjourney.support.scripted;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a path speaks. A path may have any prefix, so that one server can stand for many backends:
 * {@code /small-llm/v1/chat/completions}. The first protocol whose suffix fits is taken.
 */
public enum Protocol {
  CHAT("chat", "/chat/completions"),
  EMBEDDINGS("embeddings", "/embeddings"),
  COHERE_RERANK("cohere-rerank", "/v2/rerank"),
  JINA_RERANK("jina-rerank", "/v1/rerank"),
  SEARCH("search", "/http/search"),
  AZURE_SEARCH("azure-search", "/docs/search"),
  HTTP_RERANK("http-rerank", "/http/rerank"),
  REWRITE("rewrite", "/http/rewrite"),
  HTTP_EMBED("http-embed", "/http/embed"),
  /** Any method; the parameters of a GET are its body in the ledger. */
  TOOL("tool", "/http/tool"),
  /** The collection is a part of the path. */
  QDRANT("qdrant", "/points/query"),
  TEI_RERANK("tei-rerank", "/rerank"),
  TEI_EMBED("tei-embed", "/embed");

  private final String label;
  private final String suffix;

  Protocol(String label, String suffix) {
    this.label = label;
    this.suffix = suffix;
  }

  /** Its name in a script. */
  public String label() {
    return label;
  }

  /** The end of the paths that speak it. */
  public String suffix() {
    return suffix;
  }

  static Optional<Protocol> of(String path) {
    return Arrays.stream(values()).filter(each -> path.endsWith(each.suffix)).findFirst();
  }
}
