package dev.ragjourney.support.scripted;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a route answers.
 *
 * @param delay before the first byte of the answer
 * @param tokenGapMs between two tokens of a stream
 * @param seed of everything drawn at random; the same seed gives the same sequence
 * @param text of a completion or a rewritten question; null for one made from the request
 * @param dimension of vectors; 0 for the request's, or 384
 * @param faults the first one that a request meets is done to it
 */
public record Behaviour(
    DelayLaw delay,
    long tokenGapMs,
    long seed,
    @Nullable String text,
    int dimension,
    List<Fault> faults) {
  public static final Behaviour PLAIN = new Behaviour(DelayLaw.NONE, 0, 1, null, 0, List.of());

  public Behaviour {
    faults = List.copyOf(faults);
    if (tokenGapMs < 0) {
      throw new IllegalArgumentException("tokenGapMs is " + tokenGapMs + ", must be 0 or more");
    }
    if (dimension < 0) {
      throw new IllegalArgumentException("dimension is " + dimension + ", must be 0 or more");
    }
  }

  /** The control endpoint's form: everything may be left out, the delay's fields are inlined. */
  @JsonCreator
  static Behaviour fromJson(
      @JsonProperty("delayMs") double delayMs,
      @JsonProperty("sigma") double sigma,
      @JsonProperty("secondShare") double secondShare,
      @JsonProperty("secondDelayMs") double secondDelayMs,
      @JsonProperty("secondSigma") double secondSigma,
      @JsonProperty("tokenGapMs") long tokenGapMs,
      @JsonProperty("seed") @Nullable Long seed,
      @JsonProperty("text") @Nullable String text,
      @JsonProperty("dimension") int dimension,
      @JsonProperty("faults") @Nullable List<Fault> faults) {
    return new Behaviour(
        new DelayLaw(delayMs, sigma, secondShare, secondDelayMs, secondSigma),
        tokenGapMs,
        seed == null ? 1 : seed,
        text,
        dimension,
        faults == null ? List.of() : faults);
  }

  public static Behaviour delayed(double millis) {
    return PLAIN.with(DelayLaw.fixed(millis));
  }

  public static Behaviour faulty(Fault.Kind kind) {
    return PLAIN.with(Fault.always(kind));
  }

  public static Behaviour status(int status) {
    return PLAIN.with(Fault.status(status));
  }

  public Behaviour with(DelayLaw newDelay) {
    return new Behaviour(newDelay, tokenGapMs, seed, text, dimension, faults);
  }

  public Behaviour with(Fault fault) {
    return new Behaviour(
        delay,
        tokenGapMs,
        seed,
        text,
        dimension,
        Stream.concat(faults.stream(), Stream.of(fault)).toList());
  }

  public Behaviour withTokenGapMs(long millis) {
    return new Behaviour(delay, millis, seed, text, dimension, faults);
  }

  public Behaviour withSeed(long newSeed) {
    return new Behaviour(delay, tokenGapMs, newSeed, text, dimension, faults);
  }

  public Behaviour withText(String newText) {
    return new Behaviour(delay, tokenGapMs, seed, newText, dimension, faults);
  }

  public Behaviour withDimension(int newDimension) {
    return new Behaviour(delay, tokenGapMs, seed, text, newDimension, faults);
  }
}
