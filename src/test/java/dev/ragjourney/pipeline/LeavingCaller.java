package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.List;

/** A caller who leaves when told to. */
final class LeavingCaller implements Cancellation {
  private final List<Runnable> closers = new ArrayList<>();
  private boolean left;

  void leave() {
    List<Runnable> all;
    synchronized (this) {
      left = true;
      all = List.copyOf(closers);
    }
    all.forEach(Runnable::run);
  }

  @Override
  public synchronized boolean cancelled() {
    return left;
  }

  @Override
  public synchronized void onCancel(Runnable close) {
    closers.add(close);
  }
}
