package io.cleave.console;

import com.google.errorprone.annotations.FormatMethod;

import io.cleave.console.BundlePlan.Balance;
import io.cleave.console.BundlePlan.Cell;
import io.cleave.console.BundlePlan.Change;
import io.cleave.console.BundlePlan.Left;
import io.cleave.console.BundlePlan.Load;
import io.cleave.console.BundlePlan.Round;
import io.cleave.console.BundlePlan.Sizes;
import io.cleave.console.BundlePlan.Table;

import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Prints the plan of a bundle for a terminal.
final class BundlePlanText {
    /// Limit of the tables, and of the cells, that are shown.
    private static final int MOST_ROWS = 200;

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

    private final BundlePlan plan;
    private final StringBuilder text = new StringBuilder();

    BundlePlanText(BundlePlan plan) {
        this.plan = plan;
    }

    String print() {
        String when =
                plan.at()
                        .map(at -> at.atZone(plan.zone()))
                        .map(at -> "at " + MINUTE.format(at) + ", time zone " + plan.zone().getId())
                        .orElse("now, whatever the schedules say");
        line("bundle %s: a round %s", plan.bundle(), when);
        plan.supposed().forEach(setting -> line("supposed: %s", setting));
        plan.notes().forEach(note -> line("note: %s", note));
        plan.idle().forEach((group, why) -> line("no round of group '%s': %s", group, why));
        plan.departures()
                .forEach(
                        each ->
                                line(
                                        "cell %d is removed, and gives away %s (%s) first",
                                        each.cellId(),
                                        tablets(each.tablets()),
                                        bytes(each.bytes())));
        rounds();
        tables();
        cells();
        work();
        left();
        return text.toString();
    }

    private void rounds() {
        int number = 0;
        int shown = 0;
        for (Round round : plan.rounds()) {
            number++;
            if (shown < BundlePlan.MOST_CHANGES) {
                line("round %d", number);
            }
            for (Change change : round.changes()) {
                if (shown < BundlePlan.MOST_CHANGES) {
                    line("    %s  %s: %s", change.table(), change.rule(), change.text());
                    shown++;
                }
            }
        }
        if (plan.changeCount() > shown) {
            line("%d more changes are not shown", plan.changeCount() - shown);
        }
        if (plan.rounds().isEmpty()) {
            line("nothing to do");
        } else if (plan.isAtRest()) {
            line("after %s there is nothing more to do", rounds(number));
        } else {
            line("after %s there is more to do; ask for more rounds", rounds(number));
        }
        boolean makesTablets = plan.work().made() > 0;
        if (makesTablets) {
            line("tablets from %d on are not there yet", plan.newTabletsFrom());
        }
    }

    private static String rounds(int count) {
        return count == 1 ? "1 round" : count + " rounds";
    }

    private static String tablets(int count) {
        return count == 1 ? "1 tablet" : count + " tablets";
    }

    private void tables() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("table", "tablets", "smallest", "mean", "largest"));
        for (Table table : plan.tables()) {
            if (rows.size() <= MOST_ROWS) {
                rows.add(
                        List.of(
                                table.path(),
                                change(table, sizes -> sizes.count() + ""),
                                change(table, sizes -> bytes(sizes.min())),
                                change(table, sizes -> bytes(sizes.mean())),
                                change(table, sizes -> bytes(sizes.max()))));
            }
        }
        grid(rows);
        more(plan.tables().size(), "tables");
    }

    private void more(int count, String what) {
        if (count > MOST_ROWS) {
            line("%d more %s are not shown", count - MOST_ROWS, what);
        }
    }

    private static String change(Table table, Function<Sizes, String> figure) {
        return change(figure.apply(table.before()), figure.apply(table.after()));
    }

    private static String change(String before, String after) {
        return before.equals(after) ? before : before + " -> " + after;
    }

    private void cells() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("cell", "tablets", "size", "memory", "CPU time"));
        for (Cell cell : plan.cells()) {
            if (rows.size() <= MOST_ROWS) {
                rows.add(
                        List.of(
                                cell.cellId() + "",
                                change(cell, load -> load.tablets() + ""),
                                change(cell, load -> bytes(load.bytes())),
                                change(cell, load -> bytes(load.memoryBytes())),
                                change(cell, load -> cores(load.load()))));
            }
        }
        Balance before = plan.before();
        Balance after = plan.after();
        rows.add(
                List.of(
                        "most / mean",
                        change(share(before.tablets()), share(after.tablets())),
                        change(share(before.bytes()), share(after.bytes())),
                        change(share(before.memory()), share(after.memory())),
                        change(share(before.load()), share(after.load()))));
        grid(rows);
        more(plan.cells().size(), "cells");
    }

    private static String change(Cell cell, Function<Load, String> figure) {
        Function<Optional<Load>, String> print = load -> load.map(figure).orElse("none");
        return change(print.apply(cell.before()), print.apply(cell.after()));
    }

    private void work() {
        BundlePlan.Work work = plan.work();
        line(
                "resharded: %s (%s) into %d; moved: %s (%s)",
                tablets(work.resharded()),
                bytes(work.reshardedBytes()),
                work.made(),
                tablets(work.moved()),
                bytes(work.movedBytes()));
    }

    /// `reshard 1 tablet (5.0 MB) into 2, and move 3 tablets (9.0 MB)`, without what is not done.
    static String text(BundlePlan.Work work) {
        List<String> parts = new ArrayList<>();
        if (work.reshards() > 0) {
            parts.add(
                    "reshard %s (%s) into %d"
                            .formatted(
                                    tablets(work.resharded()),
                                    bytes(work.reshardedBytes()),
                                    work.made()));
        }
        if (work.moved() > 0) {
            parts.add("move %s (%s)".formatted(tablets(work.moved()), bytes(work.movedBytes())));
        }
        return String.join(", and ", parts);
    }

    private void left() {
        if (!plan.left().isEmpty()) {
            line("left alone by the first round:");
        }
        for (Left left : plan.left()) {
            line(
                    "    %s  %s: %s, such as %d: %s",
                    left.table(), left.rule(), tablets(left.tablets()), left.example(), left.why());
        }
    }

    /// Columns as wide as what is in them.
    private void grid(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        for (List<String> row : rows) {
            var cells = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                cells.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
            }
            line("%s", cells.toString().stripTrailing());
        }
    }

    private static String share(double number) {
        return Double.isNaN(number) ? "none" : String.format(Locale.ROOT, "%.2f", number);
    }

    private static String cores(double number) {
        return String.format(Locale.ROOT, "%.1f %%", number * 100);
    }

    private static String bytes(long number) {
        return number < 1 << 20
                ? number + " B"
                : String.format(Locale.ROOT, "%.1f MB", number / (double) (1 << 20));
    }

    @FormatMethod
    private void line(String form, Object... parts) {
        text.append(form.formatted(parts)).append('\n');
    }
}
