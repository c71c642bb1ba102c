package dev.ragjourney.crd;

import dev.ragjourney.crd.parsed.ObjectKey;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.spec.BackendSpec;
import dev.ragjourney.crd.spec.CaSource;
import dev.ragjourney.crd.spec.HeaderSpec;
import dev.ragjourney.crd.spec.KeyRef;
import dev.ragjourney.crd.spec.SecretSource;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Backends as the plan knows them: plain fields by name, secrets by reference. */
final class BackendAssembly {
  private BackendAssembly() {}

  /** The backends that are used, in the order of the names; the embedded one needs no entry. */
  static List<ParsedBackend> assemble(List<BackendSpec> backends, Set<String> used) {
    return used.stream()
        .map(
            name ->
                backends.stream()
                    .filter(backend -> name.equals(backend.name()))
                    .findFirst()
                    .map(BackendAssembly::assemble)
                    .orElseGet(BackendAssembly::embedded))
        .toList();
  }

  private static ParsedBackend embedded() {
    return new ParsedBackend(
        ParsedBackend.EMBEDDED,
        BackendKind.EMBEDDED.field(),
        Map.of(),
        Map.of(),
        List.of(),
        null,
        Defaults.CONNECT_TIMEOUT,
        Defaults.EMBEDDED_CALLS,
        Map.of());
  }

  private static ParsedBackend assemble(BackendSpec backend) {
    BackendKind kind = BackendKind.of(backend).getFirst();
    Map<String, String> settings = new TreeMap<>();
    Map<String, ObjectKey> secrets = new TreeMap<>();
    collect(Values.given(kind.settings().apply(backend)), settings, secrets);
    return new ParsedBackend(
        Values.given(backend.name()),
        kind.field(),
        settings,
        secrets,
        Values.list(backend.headers()).stream().map(BackendAssembly::header).toList(),
        ca(backend.tls() == null ? null : backend.tls().ca()),
        connectTimeout(backend),
        maxConcurrent(backend, kind),
        backend.labels() == null ? Map.of() : backend.labels());
  }

  private static void collect(
      Record kind, Map<String, String> settings, Map<String, ObjectKey> secrets) {
    for (RecordComponent component : kind.getClass().getRecordComponents()) {
      switch (FieldChecks.read(component, kind)) {
        case null -> {}
        case SecretSource secret ->
            secrets.put(component.getName(), key(ObjectKey.Source.SECRET, secret.secretKeyRef()));
        case Map<?, ?> map ->
            map.forEach(
                (field, value) ->
                    settings.put(component.getName() + "." + field, value.toString()));
        case Object value -> settings.put(component.getName(), value.toString());
      }
    }
  }

  private static ParsedBackend.Header header(HeaderSpec header) {
    return new ParsedBackend.Header(
        Values.given(header.name()),
        header.value(),
        header.valueFrom() == null
            ? null
            : key(ObjectKey.Source.SECRET, header.valueFrom().secretKeyRef()));
  }

  private static @Nullable ObjectKey ca(@Nullable CaSource ca) {
    if (ca == null) {
      return null;
    }
    return ca.secretKeyRef() == null
        ? key(ObjectKey.Source.CONFIG_MAP, ca.configMapKeyRef())
        : key(ObjectKey.Source.SECRET, ca.secretKeyRef());
  }

  private static ObjectKey key(ObjectKey.Source source, @Nullable KeyRef ref) {
    KeyRef given = Values.given(ref);
    return new ObjectKey(source, Values.given(given.name()), Values.given(given.key()));
  }

  private static int maxConcurrent(BackendSpec backend, BackendKind kind) {
    Integer declared = backend.maxConcurrent();
    if (declared != null) {
      return declared;
    }
    return kind.equals(BackendKind.EMBEDDED) ? Defaults.EMBEDDED_CALLS : Defaults.BACKEND_CALLS;
  }

  private static Duration connectTimeout(BackendSpec backend) {
    return Values.duration(backend.connectTimeout(), Defaults.CONNECT_TIMEOUT);
  }
}
