package io.cleave.cluster;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Figure;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import java.util.List;

/// A decision about tablets of a table, and what became of it.
///
/// @param number grows with each
/// @param micros when it was made, or said for the first time
/// @param lastMicros when it was said last
/// @param range the keys it is about
/// @param text in words, with keys as people write them
/// @param keys as people write them
/// @param rejected what was looked at and not taken
/// @param outcome in words; empty while there is none
/// @param verdict why it is said to have helped, or not; empty while that is not known
public record PartitionDecision(
        long number,
        long micros,
        long lastMicros,
        long tableId,
        String path,
        KeyRange range,
        Decision decision,
        String text,
        List<String> keys,
        List<String> rejected,
        State state,
        long durationMicros,
        String outcome,
        Helped helped,
        String verdict) {
    public enum State {
        /// Nothing is to be done.
        NOTED,
        /// Nothing is done, because the node carries out nothing.
        PLANNED,
        RUNNING,
        DONE,
        FAILED
    }

    public enum Helped {
        NOT_KNOWN,
        YES,
        NO
    }

    public PartitionDecision {
        keys = List.copyOf(keys);
        rejected = List.copyOf(rejected);
    }

    static PartitionDecision of(
            Table table, KeyRange range, Decision decision, State state, long micros) {
        return new PartitionDecision(
                0,
                micros,
                micros,
                table.id(),
                table.path(),
                range,
                decision,
                decision.text(key -> KeyText.of(table, key)),
                decision.keys().stream().map(key -> KeyText.of(table, key)).toList(),
                switch (decision) {
                    case Split split -> split.rejected();
                    case Merge merge -> merge.rejected();
                    case Leave _, Warn _ -> List.of();
                },
                state,
                0,
                "",
                Helped.NOT_KNOWN,
                "");
    }

    /// SPLIT, MERGE, LEAVE or WARN.
    public String kind() {
        return switch (decision) {
            case Split _ -> "SPLIT";
            case Merge _ -> "MERGE";
            case Leave _ -> "LEAVE";
            case Warn _ -> "WARN";
        };
    }

    public String rule() {
        return decision.rule().text();
    }

    /// In key order.
    public List<Long> tabletIds() {
        return decision.tabletIds();
    }

    /// Each number it goes by with its threshold, in words.
    public List<String> figures() {
        return decision.figures().stream().map(Figure::text).toList();
    }

    PartitionDecision numbered(long newNumber) {
        return new PartitionDecision(
                newNumber,
                micros,
                lastMicros,
                tableId,
                path,
                range,
                decision,
                text,
                keys,
                rejected,
                state,
                durationMicros,
                outcome,
                helped,
                verdict);
    }

    /// The same was said again, with other figures.
    PartitionDecision again(PartitionDecision later) {
        return new PartitionDecision(
                number,
                micros,
                later.micros,
                tableId,
                later.path,
                later.range,
                later.decision,
                later.text,
                later.keys,
                later.rejected,
                state,
                durationMicros,
                outcome,
                helped,
                verdict);
    }

    PartitionDecision ended(State newState, long newDurationMicros, String newOutcome) {
        return new PartitionDecision(
                number,
                micros,
                lastMicros,
                tableId,
                path,
                range,
                decision,
                text,
                keys,
                rejected,
                newState,
                newDurationMicros,
                newOutcome,
                helped,
                verdict);
    }

    PartitionDecision judged(Helped newHelped, String newVerdict) {
        return new PartitionDecision(
                number,
                micros,
                lastMicros,
                tableId,
                path,
                range,
                decision,
                text,
                keys,
                rejected,
                state,
                durationMicros,
                outcome,
                newHelped,
                newVerdict);
    }
}
