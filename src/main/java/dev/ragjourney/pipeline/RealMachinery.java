package dev.ragjourney.pipeline;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads for calls that wait, platform threads for calls that compute. */
final class RealMachinery implements Machinery {
  private final MonotonicTime time = MonotonicTime.system();
  private final WheelTimer timer = new WheelTimer(time);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ComputingTimes times;
  private final ExecutorService computing =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("stage-", 0).daemon().factory());

  RealMachinery() {
    this((wall, cpu) -> {});
  }

  RealMachinery(ComputingTimes times) {
    this.times = times;
  }

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
      computing.execute(timed(work));
    } else {
      Thread.startVirtualThread(work);
    }
  }

  private Runnable timed(Runnable work) {
    long handedOver = time.nanos();
    return () -> {
      long cpu = threads.getCurrentThreadCpuTime();
      try {
        work.run();
      } finally {
        times.computed(time.nanos() - handedOver, threads.getCurrentThreadCpuTime() - cpu);
      }
    };
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
