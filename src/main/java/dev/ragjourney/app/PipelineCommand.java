package dev.ragjourney.app;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;

/** Serves one journey. */
@Command(
    name = "pipeline",
    mixinStandardHelpOptions = true,
    description = "Serves one journey by the plan in RAGJOURNEY_PLAN_DIR.")
final class PipelineCommand implements Callable<Integer> {
  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> environment = System.getenv();
    PipelineSettings settings = PipelineSettings.from(environment);
    PipelinePod pod =
        new PipelinePod(
            settings,
            environment,
            new PodBackends(
                settings.documentsDirectory(), settings.secretsDirectory(), environment));
    LogLevelPage logLevel = LogLevelPage.tryStart(environment);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("stop")
                .unstarted(
                    () -> {
                      pod.close();
                      if (logLevel != null) {
                        logLevel.close();
                      }
                      stopped.countDown();
                    }));
    pod.start();
    stopped.await();
    return 0;
  }
}
