package io.cleave.console;

import io.cleave.console.Operations.DecisionRow;
import io.cleave.console.Operations.Decisions;
import io.cleave.console.Operations.FigureRow;
import io.cleave.console.Operations.Present;
import io.cleave.value.Json;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Formats decisions about tablets as lines for a terminal or as JSON for a program.
final class DecisionList {
    private DecisionList() {}

    static String text(Decisions decisions) {
        return text(decisions.rows(), "no decision about it is known")
                + (decisions.hasOlder()
                        ? "the latest %d decisions; .sys/partition_decisions has older ones\n"
                                .formatted(decisions.rows().size())
                        : "")
                + "every split, merge and move since %s is known\n"
                        .formatted(timeAfter(decisions.sinceMicros()))
                + decisions.present().map(DecisionList::text).orElse("");
    }

    private static String text(Present present) {
        var text = new StringBuilder("now:\n");
        present.notes().forEach(note -> line(text, note));
        present.rows().forEach(row -> line(text, row.rule() + ": " + row.text()));
        if (present.more() > 0) {
            line(text, present.more() + " more are not shown; give a key");
        }
        return text.toString();
    }

    static SequencedMap<String, Json> members(Decisions decisions) {
        var members = new LinkedHashMap<String, Json>();
        members.put("decisions", json(decisions.rows()));
        members.put("has_older", decisions.hasOlder() ? Json.Constant.TRUE : Json.Constant.FALSE);
        members.put("complete_since", new Json.Text(timeAfter(decisions.sinceMicros())));
        decisions
                .present()
                .ifPresent(
                        present -> {
                            var now = new LinkedHashMap<String, Json>();
                            now.put(
                                    "notes",
                                    new Json.Array(
                                            present.notes().stream()
                                                    .map(note -> (Json) new Json.Text(note))
                                                    .toList()));
                            now.put("decisions", json(present.rows()));
                            now.put("more", new Json.Numeral(present.more()));
                            members.put("now", new Json.Members(now));
                        });
        return members;
    }

    static String text(List<DecisionRow> decisions, String none) {
        var text = new StringBuilder(decisions.isEmpty() ? none + "\n" : "");
        for (DecisionRow row : decisions) {
            text.append(time(row.timeMicros()))
                    .append("  ")
                    .append(row.rule())
                    .append(": ")
                    .append(row.text())
                    .append('\n');
            row.rejected().forEach(why -> line(text, "not: " + why));
            if (row.lastMicros() > row.timeMicros()) {
                line(text, "until " + time(row.lastMicros()));
            }
            switch (row.state()) {
                case "DONE", "FAILED" -> {
                    String state = row.state().equals("DONE") ? "done" : "failed";
                    line(
                            text,
                            "%s in %d ms: %s"
                                    .formatted(state, row.durationMicros() / 1000, row.outcome()));
                }
                case "RUNNING" -> line(text, "running");
                case "PLANNED" -> {
                    if (!row.outcome().isEmpty()) {
                        line(text, row.outcome());
                    }
                }
                default -> {}
            }
            if (!row.action().isEmpty()) {
                line(text, "tablet action " + row.action());
            }
            if (!row.verdict().isEmpty()) {
                String helped =
                        switch (row.helped()) {
                            case "YES" -> "helped";
                            case "NO" -> "did not help";
                            default -> "not known whether it helped";
                        };
                line(text, helped + ": " + row.verdict());
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append("    ").append(line).append('\n');
    }

    private static String time(long micros) {
        return Instant.EPOCH
                .plus(micros, ChronoUnit.MICROS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    /// The first full second from the time on.
    private static String timeAfter(long micros) {
        return time(micros + 999_999);
    }

    static Json json(List<DecisionRow> decisions) {
        return new Json.Array(decisions.stream().map(DecisionList::json).toList());
    }

    private static Json json(DecisionRow row) {
        var members = new LinkedHashMap<String, Json>();
        members.put("time", new Json.Text(time(row.timeMicros())));
        members.put("last_time", new Json.Text(time(row.lastMicros())));
        members.put("kind", new Json.Text(row.kind()));
        members.put("rule", new Json.Text(row.rule()));
        members.put(
                "tablets",
                new Json.Array(
                        row.tabletIds().stream().map(id -> (Json) new Json.Numeral(id)).toList()));
        members.put("text", new Json.Text(row.text()));
        members.put(
                "figures",
                new Json.Array(row.figures().stream().map(DecisionList::figure).toList()));
        members.put("keys", texts(row.keys()));
        members.put("rejected", texts(row.rejected()));
        members.put("state", new Json.Text(row.state()));
        members.put("duration_micros", new Json.Numeral(row.durationMicros()));
        members.put("outcome", new Json.Text(row.outcome()));
        members.put("helped", new Json.Text(row.helped()));
        members.put("verdict", new Json.Text(row.verdict()));
        members.put("action", new Json.Text(row.action()));
        return new Json.Members(members);
    }

    private static Json figure(FigureRow figure) {
        var members = new LinkedHashMap<String, Json>();
        members.put("name", new Json.Text(figure.name()));
        members.put("value", new Json.Numeral(figure.value()));
        members.put(
                "threshold",
                Double.isNaN(figure.threshold())
                        ? Json.Constant.NULL
                        : new Json.Numeral(figure.threshold()));
        members.put("unit", new Json.Text(figure.unit()));
        return new Json.Members(members);
    }

    private static Json texts(List<String> texts) {
        return new Json.Array(texts.stream().map(text -> (Json) new Json.Text(text)).toList());
    }
}
