package dev.ragjourney.crd;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields that a spec has and the resource does not: typing errors, or a newer version's. The
 * records leave them out when they are read, so this looks at the raw object.
 */
public final class UnknownFields {
  private UnknownFields() {}

  /**
   * @param spec as parsed from YAML or JSON; null where there is none
   */
  public static List<Finding> in(@Nullable Object spec) {
    Findings findings = new Findings();
    check("spec", spec, RagJourneySpec.class, findings);
    return findings.all();
  }

  private static void check(String path, @Nullable Object value, Type type, Findings findings) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      if (value instanceof List<?> items) {
        for (int i = 0; i < items.size(); i++) {
          check(path + "[" + i + "]", items.get(i), list.getActualTypeArguments()[0], findings);
        }
      }
    } else if (type instanceof Class<?> record && record.isRecord()) {
      if (value instanceof Map<?, ?> fields) {
        fields.forEach((name, field) -> check(path, record, name.toString(), field, findings));
      }
    }
  }

  private static void check(
      String path, Class<?> record, String name, @Nullable Object value, Findings findings) {
    RecordComponent[] components = record.getRecordComponents();
    for (RecordComponent component : components) {
      if (component.getName().equals(name)) {
        check(path + "." + name, value, component.getGenericType(), findings);
        return;
      }
    }
    List<String> known = Arrays.stream(components).map(RecordComponent::getName).toList();
    findings.unknownField(path + "." + name, closest(name, known));
  }

  private static @Nullable String closest(String name, List<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
        .filter(candidate -> distance(name, candidate) <= 2)
        .orElse(null);
  }

  /** Levenshtein's: how many letters must be put in, taken out or replaced; ignores case. */
  private static int distance(String from, String to) {
    int[] previous = new int[to.length() + 1];
    Arrays.setAll(previous, i -> i);
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        boolean same =
            Character.toLowerCase(from.charAt(i - 1)) == Character.toLowerCase(to.charAt(j - 1));
        current[j] =
            Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + (same ? 0 : 1));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
