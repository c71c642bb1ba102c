package dev.ragjourney.support.prometheus;

import dev.ragjourney.support.prometheus.Expression.Aggregation;
import dev.ragjourney.support.prometheus.Expression.Function;
import dev.ragjourney.support.prometheus.Expression.Matcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads the subset by recursive descent; what it does not know it refuses by position. */
final class ExpressionParser {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(\"(?:[^\"\\\\]|\\\\.)*\")|([a-zA-Z_][a-zA-Z0-9_:]*)|([0-9.]+(?:ms|[smhd])?)"
              + "|(!=|=~|!~|[(){}\\[\\],=]))");

  private static final Pattern METRIC = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");

  private final List<String> tokens = new ArrayList<>();
  private int position;

  private ExpressionParser(String text) {
    java.util.regex.Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (end < text.length() && matcher.find(end) && matcher.start() == end) {
      tokens.add(matcher.group().strip());
      end = matcher.end();
    }
    if (!text.substring(end).isBlank()) {
      throw new IllegalArgumentException("unexpected character at " + end);
    }
  }

  static Expression parse(String text) {
    ExpressionParser parser = new ExpressionParser(text);
    Expression expression = parser.or();
    if (parser.position < parser.tokens.size()) {
      throw parser.unexpected();
    }
    return expression;
  }

  private Expression or() {
    Expression left = compared();
    while (peek().equals("or")) {
      position++;
      left = new Expression.Or(left, compared());
    }
    return left;
  }

  private Expression compared() {
    Expression of = primary();
    if (peek().equals("!=")) {
      position++;
      return new Expression.NotEqual(of, Double.parseDouble(next()));
    }
    return of;
  }

  private Expression primary() {
    String word = next();
    return switch (word) {
      case "(" -> {
        Expression inner = or();
        expect(")");
        yield inner;
      }
      case "sum", "count", "min", "max" -> {
        expect("by");
        List<String> by = labels();
        expect("(");
        Expression of = or();
        expect(")");
        yield new Expression.Aggregate(Aggregation.valueOf(word.toUpperCase(Locale.ROOT)), by, of);
      }
      case "increase", "rate", "min_over_time", "max_over_time" -> {
        expect("(");
        Expression of = overTime(Function.valueOf(word.toUpperCase(Locale.ROOT)));
        expect(")");
        yield of;
      }
      case "label_replace" -> labelReplace();
      case "timestamp" -> {
        expect("(");
        Expression.Newest of = newest(next());
        expect(")");
        yield new Expression.Timestamp(of);
      }
      default -> {
        if (!METRIC.matcher(word).matches() || peek().equals("(")) {
          position--;
          throw unexpected();
        }
        yield newest(word);
      }
    };
  }

  private Expression labelReplace() {
    expect("(");
    Expression of = or();
    expect(",");
    String to = string();
    expect(",");
    String replacement = string();
    expect(",");
    String from = string();
    expect(",");
    Pattern regex = regex(string());
    expect(")");
    return new Expression.LabelReplace(of, to, replacement, from, regex);
  }

  private Expression overTime(Function function) {
    Expression.Newest series = newest(next());
    expect("[");
    long range = millis(next());
    expect("]");
    return new Expression.OverTime(function, series.metric(), series.matchers(), range);
  }

  private Expression.Newest newest(String metric) {
    List<Matcher> matchers = new ArrayList<>();
    if (peek().equals("{")) {
      position++;
      while (!peek().equals("}")) {
        matchers.add(matcher());
        if (peek().equals(",")) {
          position++;
        }
      }
      position++;
    }
    return new Expression.Newest(metric, matchers);
  }

  private Matcher matcher() {
    String label = next();
    String operator = next();
    String value = string();
    return switch (operator) {
      case "=" -> new Matcher(label, true, Pattern.compile(Pattern.quote(value)));
      case "!=" -> new Matcher(label, false, Pattern.compile(Pattern.quote(value)));
      case "=~" -> new Matcher(label, true, regex(value));
      case "!~" -> new Matcher(label, false, regex(value));
      default -> throw new IllegalArgumentException("unexpected operator " + operator);
    };
  }

  private List<String> labels() {
    List<String> labels = new ArrayList<>();
    expect("(");
    while (!peek().equals(")")) {
      labels.add(next());
      if (peek().equals(",")) {
        position++;
      }
    }
    position++;
    return labels;
  }

  static long millis(String duration) {
    java.util.regex.Matcher matcher = Pattern.compile("([0-9]+)(ms|s|m|h|d)").matcher(duration);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a valid duration: " + duration);
    }
    long unit =
        switch (matcher.group(2)) {
          case "ms" -> 1;
          case "s" -> 1_000;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          default -> 86_400_000;
        };
    return Long.parseLong(matcher.group(1)) * unit;
  }

  private static Pattern regex(String text) {
    try {
      return Pattern.compile(text, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("error parsing regexp: " + e.getDescription(), e);
    }
  }

  private String string() {
    String token = next();
    if (!token.startsWith("\"")) {
      position--;
      throw unexpected();
    }
    return token.substring(1, token.length() - 1).translateEscapes();
  }

  private void expect(String wanted) {
    if (!next().equals(wanted)) {
      position--;
      throw unexpected();
    }
  }

  private String peek() {
    return position < tokens.size() ? tokens.get(position) : "";
  }

  private String next() {
    String token = peek();
    position++;
    return token;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException(
        "unexpected "
            + (peek().isEmpty() ? "end of input" : peek())
            + " after "
            + position
            + " tokens");
  }
}
