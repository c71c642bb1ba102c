package dev.ragjourney.pipeline;

/**
 * A piece of a document that may hold the answer.
 *
 * @param id stable within the index
 * @param title the document's title, for the reader
 * @param text the passage itself
 * @param score the search's or reranker's score; larger is better, the scale is the backend's
 */
public record Passage(String id, String title, String text, double score) {
  public Passage withScore(double newScore) {
    return new Passage(id, title, text, newScore);
  }
}
