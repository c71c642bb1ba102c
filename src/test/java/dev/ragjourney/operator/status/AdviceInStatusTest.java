package dev.ragjourney.operator.status;

import static dev.ragjourney.operator.status.Decisions.after;
import static dev.ragjourney.operator.status.Decisions.foreseen;
import static dev.ragjourney.operator.status.Decisions.hold;
import static dev.ragjourney.operator.status.Decisions.nothing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.AdviceStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.rebalance.Forecast;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.LadderAdvice;
import dev.ragjourney.rebalance.LadderAdvice.Rung;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AdviceInStatusTest {
  private static final RebalanceDecision SKIP = advising(skip("rerank", 0.061, true));

  static Stream<Arguments> rounds() {
    return Stream.of(
        Arguments.of("lasting advice appears", null, SKIP, "rerank"),
        Arguments.of("other advice does not", null, advising(skip("rerank", 0.06, false)), null),
        Arguments.of(
            "but does not end what is shown",
            SKIP,
            advising(skip("rerank", 0.06, false)),
            "rerank"),
        Arguments.of(
            "unless it is about something else", SKIP, advising(skip("embed", 0.06, false)), null),
        Arguments.of("a round without it ends it", SKIP, advising(null), null),
        Arguments.of(
            "a round that judges nothing does not",
            SKIP,
            hold(Reasons.QUERY_FAILED, nothing(Reasons.QUERY_FAILED)),
            "rerank"),
        Arguments.of(
            "unless the journey has no such stage any more",
            advising(skip("gone", 0.06, true)),
            hold(Reasons.QUERY_FAILED, nothing(Reasons.QUERY_FAILED)),
            null),
        Arguments.of(
            "a level takes its place",
            SKIP,
            advising(advice(Rung.LEVEL, "fast", 0.061, true)),
            "level fast"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rounds")
  void advice_comes_and_goes(
      String what,
      @Nullable RebalanceDecision before,
      RebalanceDecision now,
      @Nullable String expected) {
    RagJourneyStatus last = before == null ? null : after(before, null);
    AdviceStatus advice = advice(after(now, last));

    assertThat(
            advice == null
                ? null
                : advice.stage() != null ? advice.stage() : "level " + advice.level())
        .isEqualTo(expected);
  }

  @Test
  void figures_that_wobble_are_not_told_anew() {
    RagJourneyStatus first = after(SKIP, null);

    assertThat(advice(first).message())
        .isEqualTo(
            "skip rerank: 0.4 % of the answers are full with it and 6.1 % are missed; "
                + "without it 0.8 % are missed");
    assertThat(after(advising(skip("rerank", 0.066, true)), first)).isEqualTo(first);
    assertThat(advice(after(advising(skip("rerank", 0.09, true)), first)).message())
        .contains("9.0 % are missed");
  }

  private static @Nullable AdviceStatus advice(RagJourneyStatus status) {
    return status.rebalance() == null ? null : status.rebalance().advice();
  }

  private static LadderAdvice skip(String stage, double missed, boolean lasting) {
    return advice(Rung.STAGE, stage, missed, lasting);
  }

  private static LadderAdvice advice(Rung rung, String name, double missed, boolean lasting) {
    return new LadderAdvice(
        rung, name, "full", new Forecast(0.004, missed), new Forecast(0, 0.008), 0.2, lasting);
  }

  private static RebalanceDecision advising(@Nullable LadderAdvice advice) {
    RoundFigures figures = foreseen(0.892, 0.892);
    Forecasts forecasts = figures.forecasts();
    return hold(
        Reasons.IN_BALANCE,
        new RoundFigures(
            figures.metricsReason(),
            figures.metricsMessage(),
            figures.stages(),
            figures.journey(),
            new Forecasts(
                forecasts.inForce(),
                forecasts.attainable(),
                forecasts.costs(),
                forecasts.costliestStage(),
                forecasts.remedy(),
                forecasts.rules(),
                advice)));
  }
}
