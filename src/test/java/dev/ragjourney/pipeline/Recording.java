package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A listener that keeps everything it is told. */
final class Recording implements JourneyListener {
  final List<StageStart> starts = Collections.synchronizedList(new ArrayList<>());
  final List<StageEnd> ends = Collections.synchronizedList(new ArrayList<>());
  final List<String> sampled = Collections.synchronizedList(new ArrayList<>());
  final List<LateEnd> late = Collections.synchronizedList(new ArrayList<>());
  final List<String> probes = Collections.synchronizedList(new ArrayList<>());
  final List<BackendCall> calls = Collections.synchronizedList(new ArrayList<>());
  final List<String> hedges = Collections.synchronizedList(new ArrayList<>());
  final List<TokensUsed> tokens = Collections.synchronizedList(new ArrayList<>());
  final List<Answer.Skipped> skips = Collections.synchronizedList(new ArrayList<>());
  final List<Answer.Skipped> wouldBeCut = Collections.synchronizedList(new ArrayList<>());
  final List<Long> remainingAtGenerate = Collections.synchronizedList(new ArrayList<>());
  final List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
  final List<AnswerCache.Lookup> lookups = Collections.synchronizedList(new ArrayList<>());
  final List<AnswerCache.Stock> stocks = Collections.synchronizedList(new ArrayList<>());
  final List<Question> abandoned = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void stageStarted(StageStart start) {
    starts.add(start);
  }

  @Override
  public void stageEnded(StageEnd end) {
    ends.add(end);
  }

  @Override
  public void stageSkipped(Route route, String stage, String reason) {
    skips.add(new Answer.Skipped(stage, reason));
  }

  @Override
  public void stageWouldBeCut(Route route, String stage, String reason) {
    wouldBeCut.add(new Answer.Skipped(stage, reason));
  }

  @Override
  public void lateSampled(Route route, String stage) {
    sampled.add(stage);
  }

  @Override
  public void lateEnded(LateEnd end) {
    late.add(end);
  }

  @Override
  public void probed(Route route, String stage) {
    probes.add(stage);
  }

  @Override
  public void backendCalled(BackendCall call) {
    calls.add(call);
  }

  @Override
  public void hedged(Route route, String stage, HedgeOutcome outcome) {
    hedges.add(stage + " " + outcome.label());
  }

  @Override
  public void tokensUsed(TokensUsed used) {
    tokens.add(used);
  }

  @Override
  public void generateReached(Route route, long remainingNanos) {
    remainingAtGenerate.add(remainingNanos);
  }

  @Override
  public void answerLookedUp(Route route, AnswerCache.Lookup lookup) {
    lookups.add(lookup);
  }

  @Override
  public void answerKept(Route route, AnswerCache.Stock stock) {
    stocks.add(stock);
  }

  @Override
  public void journeyEnded(Route route, Question question, Answer answer) {
    answers.add(answer);
  }

  @Override
  public void journeyAbandoned(Route route, Question question) {
    abandoned.add(question);
  }

  /** As if nothing had been told. */
  void forget() {
    for (List<?> list :
        List.of(
            starts,
            ends,
            sampled,
            late,
            probes,
            calls,
            hedges,
            tokens,
            skips,
            wouldBeCut,
            remainingAtGenerate,
            answers,
            lookups,
            stocks,
            abandoned)) {
      list.clear();
    }
  }

  StageEnd end(String stage) {
    return ends.stream().filter(e -> e.stage().equals(stage)).findFirst().orElseThrow();
  }

  List<BackendCall> callsOf(String stage) {
    return calls.stream().filter(c -> c.stage().equals(stage)).toList();
  }
}
