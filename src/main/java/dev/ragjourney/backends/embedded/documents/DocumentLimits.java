package dev.ragjourney.backends.embedded.documents;

/**
 * What of a folder is taken at most. More is left out and named as a problem.
 *
 * @param files number of files
 * @param fileBytes size of one file
 * @param totalBytes size of all files
 * @param passages number of passages; each costs about 10 ms of one core at start
 */
public record DocumentLimits(int files, long fileBytes, long totalBytes, int passages) {
  private static final long MIB = 1024 * 1024;

  /** 10,000 files of at most 16 MiB, 128 MiB in all, 20,000 passages. */
  public static final DocumentLimits DEFAULT =
      new DocumentLimits(10_000, 16 * MIB, 128 * MIB, 20_000);
}
