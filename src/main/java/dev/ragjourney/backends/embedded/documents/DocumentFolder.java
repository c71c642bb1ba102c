package dev.ragjourney.backends.embedded.documents;

import dev.ragjourney.pipeline.Passage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a folder of txt, md, html and jsonl files into passages. The same folder gives the same
 * passages in the same order.
 */
public final class DocumentFolder {
  private final Path root;
  private final DocumentLimits limits;
  private final List<DocumentProblem> problems = new ArrayList<>();

  private DocumentFolder(Path root, DocumentLimits limits) {
    this.root = root;
    this.limits = limits;
  }

  /**
   * @throws DocumentsUnavailableException if there is no folder, or nothing in it can be indexed
   */
  public static Corpus read(Path folder, DocumentLimits limits)
      throws DocumentsUnavailableException {
    return new DocumentFolder(folder, limits).read();
  }

  /**
   * Another text for other documents, told by their names, sizes and times: nothing is read.
   *
   * @return empty for a folder that has none, or cannot be listed
   */
  public static String fingerprint(Path folder, DocumentLimits limits) {
    try {
      StringBuilder facts = new StringBuilder();
      for (FolderListing.Entry entry : FolderListing.of(folder, limits.files()).files()) {
        BasicFileAttributes of = Files.readAttributes(entry.path(), BasicFileAttributes.class);
        facts.append(entry.name()).append('\0').append(of.size()).append(' ');
        facts.append(of.lastModifiedTime().toInstant()).append('\n');
      }
      return facts.isEmpty() ? "" : sha256(facts.toString());
    } catch (DocumentsUnavailableException | IOException e) {
      return "";
    }
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private Corpus read() throws DocumentsUnavailableException {
    FolderListing listing = FolderListing.of(root, limits.files());
    problems.addAll(listing.problems());
    Chunker chunker = new Chunker();
    List<Passage> passages = new ArrayList<>();
    int documents = 0;
    long bytesLeft = limits.totalBytes();
    for (FolderListing.Entry entry : listing.files()) {
      byte[] bytes = bytes(entry, bytesLeft);
      if (bytes == null) {
        continue;
      }
      bytesLeft -= bytes.length;
      for (Document document : documents(entry, bytes)) {
        List<Passage> more = chunker.passages(document);
        if (passages.size() + more.size() > limits.passages()) {
          String message = "more than " + limits.passages() + " passages; the rest is left out";
          problems.add(new DocumentProblem(entry.name(), null, message));
          return new Corpus(documents, passages, problems);
        }
        documents += more.isEmpty() ? 0 : 1;
        passages.addAll(more);
      }
    }
    if (passages.isEmpty()) {
      throw new DocumentsUnavailableException(nothingToIndex(listing));
    }
    return new Corpus(documents, passages, problems);
  }

  private String nothingToIndex(FolderListing listing) {
    String found =
        listing.files().isEmpty()
            ? "no txt, md, html or jsonl file (" + listing.others() + " others)"
            : "no text in its " + listing.files().size() + " txt, md, html and jsonl files";
    String first = problems.isEmpty() ? "" : "; " + problems.getFirst();
    return root + " holds " + found + first;
  }

  private byte @Nullable [] bytes(FolderListing.Entry entry, long bytesLeft) {
    try {
      long size = Files.size(entry.path());
      if (size > limits.fileBytes()) {
        return problem(
            entry, size + " bytes, more than the " + limits.fileBytes() + " of one file");
      }
      if (size > bytesLeft) {
        return problem(entry, "more than " + limits.totalBytes() + " bytes in all; left out");
      }
      try (var in = Files.newInputStream(entry.path())) {
        // The file may have grown since: never read more than was allowed.
        return in.readNBytes((int) Math.min(limits.fileBytes(), bytesLeft));
      }
    } catch (IOException e) {
      return problem(entry, "cannot be read: " + FolderListing.reason(e));
    }
  }

  private List<Document> documents(FolderListing.Entry entry, byte[] bytes) {
    String name = entry.name();
    String fallbackTitle = name.substring(name.lastIndexOf('/') + 1);
    try {
      return switch (entry.kind()) {
        case TEXT -> List.of(PlainText.parse(name, fallbackTitle, text(entry, bytes)));
        case MARKDOWN -> List.of(MarkdownText.parse(name, fallbackTitle, text(entry, bytes)));
        case HTML -> List.of(HtmlText.parse(name, fallbackTitle, bytes));
        case JSON_LINES -> JsonLines.parse(name, fallbackTitle, text(entry, bytes), problems);
      };
    } catch (IOException e) {
      problem(entry, "cannot be read: " + FolderListing.reason(e));
      return List.of();
    } catch (StackOverflowError e) {
      problem(entry, "cannot be read: its parts are nested too deeply");
      return List.of();
    } catch (RuntimeException e) {
      // A parser's own message quotes the text.
      problem(entry, "cannot be parsed: " + e.getClass().getSimpleName());
      return List.of();
    }
  }

  private String text(FolderListing.Entry entry, byte[] bytes) {
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
    } catch (CharacterCodingException e) {
      problem(entry, "is not UTF-8; the odd bytes are replaced");
      text = new String(bytes, StandardCharsets.UTF_8);
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private byte @Nullable [] problem(FolderListing.Entry entry, String message) {
    problems.add(new DocumentProblem(entry.name(), null, message));
    return null;
  }
}
