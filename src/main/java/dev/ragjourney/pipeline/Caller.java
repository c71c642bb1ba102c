package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.List;

/** Whoever waits for a journey's answer; the server says when it has left. */
public final class Caller implements Cancellation {
  private boolean gone;
  private final List<Runnable> told = new ArrayList<>(1);

  /** The connection is closed: everything still running for it ends. */
  public void left() {
    List<Runnable> toTell;
    synchronized (this) {
      if (gone) {
        return;
      }
      gone = true;
      toTell = List.copyOf(told);
    }
    toTell.forEach(Runnable::run);
  }

  @Override
  public synchronized boolean cancelled() {
    return gone;
  }

  @Override
  public void onCancel(Runnable close) {
    synchronized (this) {
      if (!gone) {
        told.add(close);
        return;
      }
    }
    close.run();
  }
}
