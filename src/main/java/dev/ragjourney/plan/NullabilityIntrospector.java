package dev.ragjourney.plan;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/**
 * Takes the records at their word: a component without {@link Nullable} must be in the document and
 * must not be null, and no list or map holds a null.
 */
final class NullabilityIntrospector extends JacksonAnnotationIntrospector {
  private static final JsonSetter.Value NULL_ALLOWED =
      JsonSetter.Value.construct(Nulls.SET, Nulls.FAIL);
  private static final JsonSetter.Value NULL_REFUSED =
      JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL);

  @Override
  public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
    RecordComponent component = component(member);
    if (component == null) {
      return super.hasRequiredMarker(member);
    }
    return !nullable(component);
  }

  @Override
  public JsonSetter.Value findSetterInfo(Annotated annotated) {
    RecordComponent component = component(annotated);
    if (component == null) {
      return super.findSetterInfo(annotated);
    }
    return nullable(component) ? NULL_ALLOWED : NULL_REFUSED;
  }

  private static boolean nullable(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static @Nullable RecordComponent component(Annotated annotated) {
    return switch (annotated) {
      case AnnotatedParameter parameter when parameter.getDeclaringClass().isRecord() -> {
        RecordComponent[] components = parameter.getDeclaringClass().getRecordComponents();
        boolean canonical = parameter.getOwner().getParameterCount() == components.length;
        yield canonical ? components[parameter.getIndex()] : null;
      }
      case AnnotatedField field when field.getDeclaringClass().isRecord() ->
          named(field.getDeclaringClass(), field.getName());
      case AnnotatedMethod method when method.getDeclaringClass().isRecord() ->
          named(method.getDeclaringClass(), method.getName());
      default -> null;
    };
  }

  private static @Nullable RecordComponent named(Class<?> record, String name) {
    for (RecordComponent component : record.getRecordComponents()) {
      if (component.getName().equals(name)) {
        return component;
      }
    }
    return null;
  }
}
