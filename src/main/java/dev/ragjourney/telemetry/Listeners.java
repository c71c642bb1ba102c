package dev.ragjourney.telemetry;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.AnswerCache;
import dev.ragjourney.pipeline.HedgeOutcome;
import dev.ragjourney.pipeline.JourneyListener;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import java.util.List;

/** Tells several listeners, in order. */
public final class Listeners implements JourneyListener {
  private final List<JourneyListener> all;

  public Listeners(List<JourneyListener> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public void stageStarted(StageStart start) {
    for (JourneyListener listener : all) {
      listener.stageStarted(start);
    }
  }

  @Override
  public void stageEnded(StageEnd end) {
    for (JourneyListener listener : all) {
      listener.stageEnded(end);
    }
  }

  @Override
  public void stageSkipped(Route route, String stage, String reason) {
    for (JourneyListener listener : all) {
      listener.stageSkipped(route, stage, reason);
    }
  }

  @Override
  public void stageWouldBeCut(Route route, String stage, String reason) {
    for (JourneyListener listener : all) {
      listener.stageWouldBeCut(route, stage, reason);
    }
  }

  @Override
  public void lateSampled(Route route, String stage) {
    for (JourneyListener listener : all) {
      listener.lateSampled(route, stage);
    }
  }

  @Override
  public void lateEnded(LateEnd end) {
    for (JourneyListener listener : all) {
      listener.lateEnded(end);
    }
  }

  @Override
  public void probed(Route route, String stage) {
    for (JourneyListener listener : all) {
      listener.probed(route, stage);
    }
  }

  @Override
  public void backendCalled(BackendCall call) {
    for (JourneyListener listener : all) {
      listener.backendCalled(call);
    }
  }

  @Override
  public void hedged(Route route, String stage, HedgeOutcome outcome) {
    for (JourneyListener listener : all) {
      listener.hedged(route, stage, outcome);
    }
  }

  @Override
  public void tokensUsed(TokensUsed tokens) {
    for (JourneyListener listener : all) {
      listener.tokensUsed(tokens);
    }
  }

  @Override
  public void generateReached(Route route, long remainingNanos) {
    for (JourneyListener listener : all) {
      listener.generateReached(route, remainingNanos);
    }
  }

  @Override
  public void answerLookedUp(Route route, AnswerCache.Lookup lookup) {
    for (JourneyListener listener : all) {
      listener.answerLookedUp(route, lookup);
    }
  }

  @Override
  public void answerKept(Route route, AnswerCache.Stock stock) {
    for (JourneyListener listener : all) {
      listener.answerKept(route, stock);
    }
  }

  @Override
  public void journeyEnded(Route route, Question question, Answer answer) {
    for (JourneyListener listener : all) {
      listener.journeyEnded(route, question, answer);
    }
  }

  @Override
  public void journeyAbandoned(Route route, Question question) {
    for (JourneyListener listener : all) {
      listener.journeyAbandoned(route, question);
    }
  }
}
