package dev.ragjourney.server;

import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the plan again when its directory changes. A mounted ConfigMap changes by a rename of a
 * symbolic link beside the file, so the directory is watched and not the file; what no event tells,
 * a slow poll finds.
 */
public final class PlanWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanWatcher.class);

  /** A change comes as several events; reading waits until none came for so long … */
  private static final Duration QUIET = Duration.ofMillis(20);

  /** … or at most so often. */
  private static final int MAX_QUIET_WAITS = 10;

  private final Path directory;
  private final PlanStore store;
  private final Duration poll;
  private final Thread thread;
  private final long refreshNanos;
  private long refreshed = System.nanoTime();
  private byte @Nullable [] seen;

  /**
   * @param poll how long a change that no event tells of may go unnoticed
   * @param refresh so often is looked whether documents changed
   */
  public PlanWatcher(Path directory, PlanStore store, Duration poll, Duration refresh) {
    this.directory = directory;
    this.store = store;
    this.poll = poll;
    refreshNanos = refresh.toNanos();
    thread = Thread.ofPlatform().daemon().name("plan-watcher").unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try (WatchService events = directory.getFileSystem().newWatchService()) {
      @Nullable WatchKey key = null;
      while (true) {
        if (key == null || !key.isValid()) {
          key = register(events);
        }
        look();
        awaitChange(events);
      }
    } catch (InterruptedException e) {
      LOG.debug("The plan is not watched any more");
    } catch (IOException e) {
      LOG.error("The plan cannot be watched", e);
    }
  }

  private @Nullable WatchKey register(WatchService events) {
    try {
      return directory.register(
          events,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException e) {
      LOG.debug("The directory {} cannot be watched yet", directory);
      return null;
    }
  }

  private void awaitChange(WatchService events) throws InterruptedException {
    WatchKey changed = events.poll(poll.toMillis(), TimeUnit.MILLISECONDS);
    for (int waits = 0; changed != null && waits < MAX_QUIET_WAITS; waits++) {
      changed.pollEvents();
      changed.reset();
      changed = events.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS);
    }
    if (changed != null) {
      changed.pollEvents();
      changed.reset();
    }
  }

  /** One look at the file. An error never ends the watching. */
  private void look() {
    try {
      byte[] document = read();
      if (System.nanoTime() - refreshed >= refreshNanos) {
        refreshed = System.nanoTime();
        store.refresh();
      }
      if (Arrays.equals(document, seen)) {
        store.advance();
      } else {
        seen = document;
        store.load(document);
      }
    } catch (NoSuchFileException e) {
      seen = null;
      store.failed("there is no %s in %s".formatted(Plan.FILE, directory));
    } catch (IOException e) {
      seen = null;
      store.failed("%s in %s cannot be read: %s".formatted(Plan.FILE, directory, e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("The plan could not be loaded", e);
      store.failed("the plan could not be loaded: " + e);
    }
  }

  /** At most one byte more than a plan may have, so that the codec can say that it is too large. */
  private byte[] read() throws IOException {
    try (InputStream in = Files.newInputStream(directory.resolve(Plan.FILE))) {
      return in.readNBytes(PlanCodec.MAX_BYTES + 1);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
