package dev.ragjourney.pipeline;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads for calls that wait, platform threads for calls that compute. */
final class RealMachinery implements Machinery {
  private final MonotonicTime time = MonotonicTime.system();
  private final WheelTimer timer = new WheelTimer(time);
  private final ExecutorService computing =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("stage-", 0).daemon().factory());

  @Override
  public MonotonicTime time() {
    return time;
  }

  @Override
  public DeadlineTimer timer() {
    return timer;
  }

  WheelTimer wheel() {
    return timer;
  }

  @Override
  public void start(boolean holdsCarrier, Runnable work) {
    if (holdsCarrier) {
      computing.execute(work);
    } else {
      Thread.startVirtualThread(work);
    }
  }

  @Override
  public void park() {
    LockSupport.park(this);
  }

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  @Override
  public void close() {
    timer.close();
    computing.shutdownNow();
  }
}
