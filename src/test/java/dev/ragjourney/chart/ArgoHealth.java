package dev.ragjourney.chart;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LoadState;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;

/**
 * The chart's health check, run as Argo CD runs it: the libraries base, package and table, the
 * object as {@code obj}, and behind {@code require("os")} the two functions time and date, of which
 * date knows UTC for the present only.
 */
public final class ArgoHealth {
  public static final Path SCRIPT = HelmChart.FOLDER.resolve("argocd/health.lua");

  private static final Map<String, String> PATTERNS =
      Map.of("%Y-%m-%dT%H:%M:%SZ", "yyyy-MM-dd'T'HH:mm:ss'Z'");

  private ArgoHealth() {}

  public record Health(String status, String message) {}

  /**
   * @param zone of the machine that runs the check
   */
  public static Health of(JsonNode object, Instant now, ZoneId zone) throws IOException {
    Globals globals = new Globals();
    globals.load(new BaseLib());
    globals.load(new PackageLib());
    globals.load(new TableLib());
    LoadState.install(globals);
    LuaC.install(globals);
    globals
        .get("package")
        .get("preload")
        .set(
            "os",
            new VarArgFunction() {
              @Override
              public Varargs invoke(Varargs arguments) {
                return clock(now, zone);
              }
            });
    globals.set("obj", lua(object));
    LuaValue result = globals.load(Files.readString(SCRIPT), "health.lua").call();
    return new Health(result.get("status").checkjstring(), result.get("message").checkjstring());
  }

  private static LuaTable clock(Instant now, ZoneId zone) {
    LuaTable os = new LuaTable();
    os.set(
        "time",
        new VarArgFunction() {
          @Override
          public Varargs invoke(Varargs arguments) {
            return arguments.narg() == 0
                ? LuaValue.valueOf(now.getEpochSecond())
                : LuaValue.valueOf(seconds(arguments.checktable(1), zone));
          }
        });
    os.set(
        "date",
        new VarArgFunction() {
          @Override
          public Varargs invoke(Varargs arguments) {
            String format = arguments.checkjstring(1);
            boolean universal = format.startsWith("!");
            ZonedDateTime shown =
                arguments.narg() > 1
                    ? Instant.ofEpochSecond(arguments.checklong(2)).atZone(zone)
                    : now.atZone(universal ? ZoneOffset.UTC : zone);
            return date(universal ? format.substring(1) : format, shown);
          }
        });
    return os;
  }

  private static LuaValue date(String format, ZonedDateTime shown) {
    if (!format.equals("*t")) {
      String pattern = PATTERNS.get(format);
      if (pattern == null) {
        throw new AssertionError("not known to this clock: " + format);
      }
      return LuaValue.valueOf(DateTimeFormatter.ofPattern(pattern).format(shown));
    }
    LuaTable fields = new LuaTable();
    fields.set("year", shown.getYear());
    fields.set("month", shown.getMonthValue());
    fields.set("day", shown.getDayOfMonth());
    fields.set("hour", shown.getHour());
    fields.set("min", shown.getMinute());
    fields.set("sec", shown.getSecond());
    return fields;
  }

  /** Fields beyond their range carry over, as in mktime. */
  private static long seconds(LuaTable fields, ZoneId zone) {
    return LocalDateTime.of(fields.get("year").checkint(), 1, 1, 0, 0)
        .plusMonths(fields.get("month").checkint() - 1L)
        .plusDays(fields.get("day").checkint() - 1L)
        .plusHours(fields.get("hour").checkint())
        .plusMinutes(fields.get("min").checkint())
        .plusSeconds(fields.get("sec").checkint())
        .atZone(zone)
        .toEpochSecond();
  }

  private static LuaValue lua(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        LuaTable table = new LuaTable();
        node.properties().forEach(field -> table.set(field.getKey(), lua(field.getValue())));
        yield table;
      }
      case ARRAY -> {
        LuaTable table = new LuaTable();
        for (int i = 0; i < node.size(); i++) {
          table.set(i + 1, lua(node.get(i)));
        }
        yield table;
      }
      case STRING -> LuaValue.valueOf(node.textValue());
      case NUMBER -> LuaValue.valueOf(node.doubleValue());
      case BOOLEAN -> LuaValue.valueOf(node.booleanValue());
      default -> LuaValue.NIL;
    };
  }
}
