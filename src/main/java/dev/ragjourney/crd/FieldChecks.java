package dev.ragjourney.crd;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Shares;
import dev.ragjourney.crd.spec.HttpUrl;
import dev.ragjourney.crd.spec.NotZero;
import dev.ragjourney.crd.spec.OneOf;
import dev.ragjourney.crd.spec.Shape;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks every field by itself: what the schema says of it, from the same annotations, so that a
 * server that runs no schema refuses the same values.
 */
final class FieldChecks {
  private FieldChecks() {}

  static void check(String path, Record object, Findings findings) {
    for (RecordComponent component : object.getClass().getRecordComponents()) {
      String field = path + "." + component.getName();
      Object value = read(component, object);
      if (value == null) {
        if (component.getAccessor().isAnnotationPresent(Required.class)) {
          findings.required(field, "it has no default");
        }
        continue;
      }
      checkSize(field, value, component.getAccessor(), findings);
      checkValue(field, value, component.getAccessor(), component.getAnnotatedType(), findings);
    }
  }

  private static void checkValue(
      String path, Object value, AnnotatedElement field, AnnotatedType type, Findings findings) {
    switch (value) {
      case Record nested -> check(path, nested, findings);
      case List<?> list -> {
        AnnotatedType items = argument(type, 0);
        for (int i = 0; i < list.size(); i++) {
          String item = path + "[" + i + "]";
          Object element = list.get(i);
          if (element == null) {
            findings.invalid(item, item + " is null; leave it out or give it a value.");
          } else {
            checkValue(item, element, items, items, findings);
          }
        }
      }
      case Map<?, ?> map -> {
        if (argument(type, 1).getType() == String.class) {
          map.forEach(
              (key, entry) -> {
                if (entry == null) {
                  findings.invalid(path + "." + key, path + "." + key + " is null.");
                }
              });
        }
      }
      case String text -> checkText(path, text, field, findings);
      case Integer number -> checkNumber(path, number, field, findings);
      default -> {}
    }
  }

  private static void checkText(
      String path, String text, AnnotatedElement field, Findings findings) {
    OneOf oneOf = field.getAnnotation(OneOf.class);
    if (oneOf != null && !Arrays.asList(oneOf.value()).contains(text)) {
      findings.invalid(path, "'" + text + "' is none of " + String.join(", ", oneOf.value()) + ".");
      return;
    }
    Pattern pattern = field.getAnnotation(Pattern.class);
    String complaint =
        pattern == null
            ? null
            : complaint(text, pattern.value(), field.isAnnotationPresent(NotZero.class));
    if (complaint == null && field.isAnnotationPresent(HttpUrl.class)) {
      complaint = Urls.complaint(text);
    }
    if (complaint != null) {
      findings.invalid(path, complaint);
    }
  }

  private static @Nullable String complaint(String text, String pattern, boolean notZero) {
    try {
      if (pattern.equals(Shape.DURATION)) {
        if (text.length() > Shape.DURATION_LENGTH) {
          return "'%s' is longer than %d characters; use larger units."
              .formatted(text, Shape.DURATION_LENGTH);
        }
        if (notZero) {
          Durations.parsePositive(text);
        } else {
          Durations.parse(text);
        }
        return null;
      }
      if (pattern.equals(Shape.SHARE)) {
        Shares.parse(text);
      }
    } catch (IllegalArgumentException wrong) {
      return wrong.getMessage();
    }
    if (pattern.equals(Shape.NAME)) {
      return text.length() <= Shape.NAME_LENGTH && text.matches(pattern)
          ? null
          : "'%s' is not a name; use at most %d lowercase letters, digits and '-', a letter first and no '-' last."
              .formatted(text, Shape.NAME_LENGTH);
    }
    if (text.matches(pattern)) {
      return null;
    }
    // An address may hold a password.
    String found = pattern.equals(Shape.JDBC_URL) ? "The address" : "'" + text + "'";
    return found + " is not written as it must be; " + Shape.rightSpelling(pattern) + ".";
  }

  private static void checkNumber(
      String path, int number, AnnotatedElement field, Findings findings) {
    Min min = field.getAnnotation(Min.class);
    Max max = field.getAnnotation(Max.class);
    if ((min != null && number < min.value()) || (max != null && number > max.value())) {
      findings.invalid(
          path,
          "%d is out of range; from %s to %s is right."
              .formatted(
                  number,
                  min == null ? "any" : (long) min.value(),
                  max == null ? "any" : (long) max.value()));
    }
  }

  private static void checkSize(
      String path, Object value, AnnotatedElement field, Findings findings) {
    Size size = field.getAnnotation(Size.class);
    if (size == null) {
      return;
    }
    int found;
    String of;
    switch (value) {
      case String text -> {
        found = text.codePointCount(0, text.length());
        of = "characters";
      }
      case List<?> list -> {
        found = list.size();
        of = "entries";
      }
      case Map<?, ?> map -> {
        found = map.size();
        of = "entries";
      }
      default -> {
        return;
      }
    }
    if (found < size.min() || found > size.max()) {
      findings.invalid(
          path,
          "%s has %d %s; from %d to %d is right."
              .formatted(path, found, of, size.min(), size.max()));
    }
  }

  private static AnnotatedType argument(AnnotatedType type, int index) {
    return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[index];
  }

  static @Nullable Object read(RecordComponent component, Record object) {
    try {
      return component.getAccessor().invoke(object);
    } catch (ReflectiveOperationException unreachable) {
      throw new IllegalStateException("A record's accessor cannot be called.", unreachable);
    }
  }
}
