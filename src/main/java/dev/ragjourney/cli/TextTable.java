package dev.ragjourney.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns that are as wide as their widest cell, with three blanks between them. */
final class TextTable {
  private static final int GAP = 3;

  private final List<List<String>> rows = new ArrayList<>();

  /** With a first row of titles, or without one. */
  TextTable(String... titles) {
    if (titles.length > 0) {
      row((Object[]) titles);
    }
  }

  /** A cell that is null stays empty. */
  TextTable row(@Nullable Object... cells) {
    rows.add(Arrays.stream(cells).map(cell -> cell == null ? "" : cell.toString()).toList());
    return this;
  }

  /** Every line begins with some blanks and ends with a line break. */
  String text(int indent) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(" ".repeat(indent));
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i)).repeat(' ', widths[i] - width(row.get(i)) + GAP);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
