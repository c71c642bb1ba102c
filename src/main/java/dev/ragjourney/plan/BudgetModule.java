package dev.ragjourney.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.StageType;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The budget's types in JSON: durations as GEP-2257 strings, enums by their labels. */
final class BudgetModule extends SimpleModule {
  BudgetModule() {
    super("budget");
    text(Duration.class, Durations::format, Durations::parse);
    labels(StageType.values(), StageType::label);
    labels(CountTo.values(), CountTo::label);
    labels(AnswerSource.values(), AnswerSource::label);
    labels(Enforcement.values(), Enforcement::label);
  }

  private <E extends Enum<E>> void labels(E[] values, Function<E, String> label) {
    List<String> known = Arrays.stream(values).map(label).toList();
    Function<String, E> read =
        text -> {
          int index = known.indexOf(text);
          if (index < 0) {
            throw new IllegalArgumentException("'%s' is not one of %s.".formatted(text, known));
          }
          return values[index];
        };
    text(values[0].getDeclaringClass(), label, read);
  }

  private <T> void text(Class<T> type, Function<T, String> write, Function<String, T> read) {
    addSerializer(type, new TextWriter<>(type, write));
    addDeserializer(type, new TextReader<>(type, read));
  }

  private static final class TextWriter<T> extends StdSerializer<T> {
    private final transient Function<T, String> write;

    TextWriter(Class<T> type, Function<T, String> write) {
      super(type);
      this.write = write;
    }

    @Override
    public void serialize(T value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      String text;
      try {
        text = write.apply(value);
      } catch (IllegalArgumentException e) {
        throw JsonMappingException.from(json, e.getMessage(), e);
      }
      json.writeString(text);
    }
  }

  private static final class TextReader<T> extends StdDeserializer<T> {
    private final transient Function<String, T> read;

    TextReader(Class<T> type, Function<String, T> read) {
      super(type);
      this.read = read;
    }

    @Override
    public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
      String text = json.getText();
      if (!json.hasToken(JsonToken.VALUE_STRING)) {
        throw JsonMappingException.from(json, text + " is not a string.");
      }
      try {
        return read.apply(text);
      } catch (IllegalArgumentException e) {
        throw JsonMappingException.from(json, e.getMessage(), e);
      }
    }
  }
}
