package dev.ragjourney.pipeline;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request's way through the stages. At every stage the time left picks the level, the level
 * picks the form, and the stage gets its allowance; something is answered always.
 */
final class Journey {
  private final Trip trip;
  private final Itinerary itinerary;
  private final Speaker speaker;
  private final Happened happened = new Happened();
  private final Answers answers;
  private final Speculations speculations;
  private final Recall recall;
  private final Omission omission;
  private final Probe probe;
  private Gathered so;
  private int level;
  private int ruledLevel;

  Journey(Trip trip, Speaker speaker) {
    this.trip = trip;
    this.itinerary = trip.itinerary();
    this.speaker = speaker;
    answers = new Answers(trip, speaker.streaming(), happened);
    omission = new Omission(trip);
    speculations = new Speculations(trip);
    recall = new Recall(trip);
    probe = new Probe(trip, omission);
    so = Gathered.of(trip.question());
  }

  /**
   * @throws CallCancelledException if the caller has left
   */
  Answer run() throws CallCancelledException {
    try {
      int start = Math.max(trip.question().startLevel(), omission.startLevel());
      level = Math.min(start, itinerary.lastLevel());
      ruledLevel = trip.observed() ? itinerary.startLevel() : 0;
      recall.begin();
      return travel();
    } finally {
      speculations.close();
      recall.end();
    }
  }

  private Answer travel() throws CallCancelledException {
    int next;
    for (int stage = 0; stage < itinerary.stages(); stage = next) {
      trip.checkCaller();
      next = itinerary.table().stepEnd(stage);
      level = levelOf(stage, next);
      if (!itinerary.answersFromStages(level)) {
        break;
      }
      speculations.atStep(next, level);
      AnswerCache.Kept known = recall.upFront();
      if (known != null) {
        return recalled(known, null);
      }
      List<Integer> running = running(stage, next);
      if (running.isEmpty()) {
        continue;
      }
      if (itinerary.budget(stage).type() == StageType.GENERATE) {
        return generate(stage);
      }
      long started = trip.now();
      Step step = new Step(trip, running, level, so, speculations::of);
      List<StageRun> runs = step.run();
      if (trip.observed()) {
        trip.overruns().add(trip.now() - started - step.ruledNanos());
      }
      for (StageRun run : runs) {
        wouldCut(run.budget().name(), run.wouldCut());
        take(run);
      }
      Answer.Problem problem = problem(runs);
      if (problem != null) {
        return fixed(problem);
      }
    }
    return fixed(null);
  }

  /** The first level that is possible at each of the stages, or the one above on trial. */
  private int levelOf(int stage, int end) {
    int possible = Math.max(level, ruledLevel);
    for (int s = stage; s < end; s++) {
      possible = itinerary.table().level(s, possible, trip.remaining() + trip.overruns().nanos());
    }
    ruledLevel = possible;
    return trip.observed() ? level : probe.level(stage, end, level, possible);
  }

  private List<Integer> running(int stage, int end) {
    List<Integer> running = new ArrayList<>(end - stage);
    for (int s = stage; s < end; s++) {
      if (omission.leavesOut(s) && itinerary.runs(s, level)) {
        miss(itinerary.budget(s), "level");
      } else if (itinerary.runs(s, level)) {
        running.add(s);
        boolean ruledOut = trip.observed() && itinerary.leftOut(s);
        boolean wanted = itinerary.runs(s, ruledLevel) && !ruledOut;
        wouldCut(itinerary.budget(s).name(), wanted ? null : "level");
        if (omission.tries(s, level)) {
          trip.listener().probed(trip.route(), itinerary.budget(s).name());
        }
      } else {
        leaveOut(itinerary.budget(s).name());
      }
    }
    return running;
  }

  private void wouldCut(String stage, @Nullable String reason) {
    if (reason != null) {
      happened.wouldCut(stage, reason);
      trip.listener().stageWouldBeCut(trip.route(), stage, reason);
    }
  }

  /** Left out by the level: by the one that admission chose, or by one that time or plan chose. */
  private void leaveOut(String stage) {
    boolean admitted =
        level == trip.question().startLevel() && level > Math.max(0, omission.startLevel());
    String reason = admitted ? "overload" : "level";
    happened.leftOut(stage, reason);
    trip.listener().stageSkipped(trip.route(), stage, reason);
  }

  private void take(StageRun run) {
    StageBudget budget = run.budget();
    switch (run.result()) {
      case StageResult.Given given -> {
        StageForm fallback = given.fallback();
        if (fallback != null) {
          happened.fallback(budget.name(), fallback);
        } else if (given.gain().degradedReason() != null) {
          happened.less();
        }
        so = given.gain().addTo().apply(so);
        if (run.stage() == itinerary.embedStage() && so.vector() != null) {
          StageForm by = fallback == null ? itinerary.form(run.stage(), level) : fallback;
          recall.embedded(so.vector(), by.backend());
        }
      }
      case StageResult.Missing missing -> miss(budget, missing.reason());
      case null -> throw new IllegalStateException("A step is over before its stages.");
    }
  }

  private void miss(StageBudget budget, String reason) {
    happened.missing(budget.name(), reason);
    trip.listener().stageSkipped(trip.route(), budget.name(), reason);
  }

  /** Of the first stage that failed the journey by itself; null if none did. */
  private Answer.@Nullable Problem problem(List<StageRun> step) {
    for (StageRun run : step) {
      if (run.failsJourney()
          && run.result() instanceof StageResult.Missing(String reason, String message)
          && !reason.equals("cancelled")) {
        return answers.problem(run.budget(), message);
      }
    }
    return null;
  }

  private Answer generate(int stage) throws CallCancelledException {
    boolean noContext = itinerary.searches() && so.passages().isEmpty() && so.toolTexts().isEmpty();
    if (noContext) {
      happened.less();
      if (trip.route().refuseWithoutContext()) {
        return refused();
      }
    }
    trip.listener().generateReached(trip.route(), trip.remaining());
    Prompts prompts = new Prompts(itinerary, trip.question(), so, noContext);
    StageCall.Role role = StageCall.Role.PRIMARY;
    Set<String> tried = new HashSet<>();
    boolean drilled = false;
    boolean formats = stage + 1 < itinerary.stages();
    Speaker writer = formats ? Speaker.silent() : speaker;
    while (true) {
      Generation generation = new Generation(trip, stage, level, role, prompts, writer);
      Writing writing = generation.write();
      drilled |= generation.drilled();
      switch (writing) {
        case Writing.Written written -> {
          wouldCut(
              itinerary.budget(stage).name(), generation.wouldCut(answers.countedEnd(written)));
          if (drilled) {
            trip.listener().stageSkipped(trip.route(), itinerary.budget(stage).name(), "drill");
          }
          StageForm by =
              written.fallback() == null ? itinerary.form(stage, level) : written.fallback();
          return written(
              stage,
              formats ? formatted(stage + 1, written) : written,
              prompts.of(by, level).passages(),
              noContext);
        }
        case Writing.Unwritten unwritten -> {
          role = StageCall.Role.FALLBACK;
          tried.addAll(generation.backends());
          level = nextRung(stage, tried);
          if (!itinerary.answersFromStages(level)) {
            miss(itinerary.budget(stage), drilled ? "drill" : unwritten.reason());
            return fixed(answers.problem(itinerary.budget(stage), unwritten.message()));
          }
        }
      }
    }
  }

  /** What the tool makes of the answer; the answer as it is where it gives nothing in time. */
  private Writing.Written formatted(int tool, Writing.Written written)
      throws CallCancelledException {
    String text = written.text();
    List<Integer> running = running(tool, tool + 1);
    if (!running.isEmpty()) {
      so = so.withAnswer(text);
      StageRun run = new Step(trip, running, level, so, speculations::of).run().getFirst();
      wouldCut(run.budget().name(), run.wouldCut());
      take(run);
      if (run.result() instanceof StageResult.Given) {
        text = so.toolTexts().getLast().text();
      }
    }
    speaker.say(text);
    return written.as(text, trip.now());
  }

  /** The next possible rung whose model has not been asked: nothing is retried in secret. */
  private int nextRung(int stage, Set<String> tried) {
    int next = level;
    do {
      int below = Math.min(next + 1, itinerary.lastLevel());
      next = itinerary.table().level(stage, below, trip.remaining());
    } while (itinerary.answersFromStages(next)
        && tried.contains(itinerary.form(stage, next).backend()));
    return next;
  }

  private Answer written(
      int stage, Writing.Written written, List<Passage> sources, boolean noContext) {
    StageForm fallback = written.fallback();
    if (fallback != null) {
      happened.fallback(itinerary.budget(stage).name(), fallback);
    }
    if (written.truncated()) {
      happened.less();
    }
    Answer answer = answers.written(itinerary.budget(stage), written, level, sources, noContext);
    if (worthKeeping(answer)) {
      recall.keep(answer.content(), sources);
    }
    return answer;
  }

  /**
   * Only what is whole at one of the two best levels is given again: no fallback's answer, none
   * without context or with a tool's news of the moment, none that the model broke off.
   */
  private boolean worthKeeping(Answer answer) {
    return answer.completion() != null
        && answer.completion().finishReason().equals("stop")
        && !answer.overBudget()
        && Math.max(answer.level(), level) <= 1
        && happened.complete(itinerary.level(answer.level()))
        && so.toolTexts().isEmpty();
  }

  private Answer recalled(AnswerCache.Kept kept, Answer.@Nullable Problem problem)
      throws CallCancelledException {
    speaker.say(kept.content());
    return answers.cached(kept, level, problem);
  }

  /** Where a level answers from the cache it is asked before the declared message is given. */
  private AnswerCache.@Nullable Kept atCacheLevel() throws CallCancelledException {
    int rung = itinerary.cacheLevel();
    if (rung < 0) {
      return null;
    }
    int embed = itinerary.embedStage();
    if (embed >= 0 && recall.lacksVector() && !happened.missed(itinerary.budget(embed).name())) {
      level = rung;
      new Step(trip, List.of(embed), rung, so, speculations::of).run().forEach(this::take);
    }
    return recall.held();
  }

  /** The last rungs: the answer of an earlier question, else the declared message. */
  private Answer fixed(Answer.@Nullable Problem problem) throws CallCancelledException {
    AnswerCache.Kept known = atCacheLevel();
    if (known != null) {
      return recalled(known, problem);
    }
    return answers.fixed(Answer.Outcome.STATIC, itinerary.lastLevel(), false, problem);
  }

  /** What is answered when the journey itself has a bug. */
  Answer broken() {
    String message = "the journey failed; the pod's log says why";
    return answers.fixed(
        Answer.Outcome.ERROR,
        level,
        false,
        new Answer.Problem("journey", message, null, trip.remaining()));
  }

  /** A search that failed does not make an earlier answer wrong; one that found nothing may. */
  private Answer refused() throws CallCancelledException {
    StageBudget search = itinerary.budget(itinerary.searchStage());
    AnswerCache.Kept known = happened.missed(search.name()) ? atCacheLevel() : null;
    if (known != null) {
      return recalled(known, null);
    }
    return answers.fixed(
        Answer.Outcome.ERROR,
        level,
        true,
        answers.problem(search, "nothing was found to answer from"));
  }
}
