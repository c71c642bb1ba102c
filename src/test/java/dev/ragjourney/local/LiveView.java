package dev.ragjourney.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints what {@code kubectl get ragjourneys -A -o wide} shows, as the API server lays it out,
 * whenever it changes.
 */
final class LiveView {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LIST = "/apis/ragjourney.dev/v1alpha1/ragjourneys";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  private final String apiServer;
  private final PrintStream out;
  private List<List<String>> shown = List.of();

  LiveView(String apiServer, PrintStream out) {
    this.apiServer = apiServer;
    this.out = out;
  }

  /** Prints the table if anything but the age changed since it was last printed. */
  void show() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(apiServer + LIST))
            .header("Accept", TABLE)
            .timeout(Duration.ofSeconds(5))
            .build();
    JsonNode table = JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    List<List<String>> rows = new ArrayList<>();
    int age = -1;
    List<String> header = new ArrayList<>();
    for (JsonNode column : table.path("columnDefinitions")) {
      if (column.path("name").asText().equalsIgnoreCase("age")) {
        age = header.size();
      }
      header.add(column.path("name").asText().toUpperCase(Locale.ROOT));
    }
    rows.add(header);
    for (JsonNode row : table.path("rows")) {
      List<String> cells = new ArrayList<>();
      row.path("cells").forEach(cell -> cells.add(cell.isNull() ? "" : cell.asText()));
      rows.add(cells);
    }
    if (!without(rows, age).equals(without(shown, age))) {
      shown = rows;
      print(rows);
    }
  }

  private static List<List<String>> without(List<List<String>> rows, int column) {
    List<List<String>> kept = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(row);
      if (column >= 0 && column < cells.size()) {
        cells.remove(column);
      }
      kept.add(cells);
    }
    return kept;
  }

  private void print(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < Math.min(columns, row.size()); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < Math.min(columns, row.size()); i++) {
        text.append(row.get(i));
        if (i < columns - 1) {
          text.append(" ".repeat(widths[i] - row.get(i).length() + 3));
        }
      }
      text.append('\n');
    }
    out.println(text);
    out.flush();
  }
}
