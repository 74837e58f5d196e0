package io.cleave.cli;

import tech.ydb.table.result.ResultSetReader;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// Prints the rows of one result set as a table. The first rows are buffered until the column
/// widths are known. Later rows are printed as they arrive, so that a large result need not fit
/// into memory.
///
/// A single column with multi-line text, such as the answer of EXPLAIN, is printed without a table.
final class ResultTable {
    private static final int ROWS_MEASURED = 1000;

    private final PrintStream out;
    private final List<String> names = new ArrayList<>();
    private final List<Boolean> numbers = new ArrayList<>();
    private final List<Integer> widths = new ArrayList<>();
    private final List<List<String>> kept = new ArrayList<>();
    private boolean measured;
    private boolean plain;
    private long rowCount;

    ResultTable(PrintStream out) {
        this.out = out;
    }

    /// Adds the next rows. Every part has the same columns.
    void add(ResultSetReader part) {
        if (names.isEmpty()) {
            for (int column = 0; column < part.getColumnCount(); column++) {
                names.add(part.getColumnName(column));
                numbers.add(Cell.isNumber(part.getColumnType(column)));
            }
        }
        while (part.next()) {
            List<String> row = new ArrayList<>(names.size());
            for (int column = 0; column < names.size(); column++) {
                row.add(Cell.text(part.getColumn(column).getValue()));
            }
            add(row);
        }
    }

    private void add(List<String> row) {
        rowCount++;
        if (measured) {
            print(row);
            return;
        }
        kept.add(row);
        if (kept.size() == ROWS_MEASURED) {
            measure();
        }
    }

    void finish() {
        if (!measured) {
            measure();
        }
        if (!plain) {
            out.println(rowCount == 1 ? "(1 row)" : "(" + rowCount + " rows)");
        }
    }

    private void measure() {
        measured = true;
        plain = names.size() == 1 && kept.stream().anyMatch(row -> row.getFirst().contains("\n"));
        for (int column = 0; column < names.size(); column++) {
            int width = width(names.get(column));
            for (List<String> row : kept) {
                width = Math.max(width, width(oneLine(row.get(column))));
            }
            widths.add(width);
        }
        if (!plain && !names.isEmpty()) {
            out.println(line(names));
            List<String> dashes = widths.stream().map(width -> "-".repeat(width + 2)).toList();
            out.println(String.join("+", dashes));
        }
        kept.forEach(this::print);
        kept.clear();
    }

    private void print(List<String> row) {
        out.println(plain ? row.getFirst().stripTrailing() : line(row));
    }

    private String line(List<String> cells) {
        var line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = oneLine(cells.get(column));
            String space = " ".repeat(Math.max(0, widths.get(column) - width(cell)));
            line.append(column == 0 ? " " : " | ");
            line.append(numbers.get(column) ? space + cell : cell + space);
        }
        return line.toString().stripTrailing();
    }

    private static String oneLine(String cell) {
        return cell.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
