package io.cleave.control;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.cluster.KeyText;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;

import java.util.List;

/// A decision about tablets of a table, and its outcome.
///
/// @param number increases with each decision
/// @param micros when it was made; for a note, when it was first made
/// @param lastMicros when it was last repeated or retried
/// @param range the keys it is about
/// @param outcome in words; empty while there is none
/// @param verdict why it helped or did not; empty while that is not known
/// @param action the id of the action that carries it out, as clients of YTsaurus know it; empty if
///   there is none
public record TabletDecision(
        long number,
        long micros,
        long lastMicros,
        long tableId,
        String path,
        KeyRange range,
        Content content,
        State state,
        long durationMicros,
        String outcome,
        Helped helped,
        String verdict,
        String action) {
    /// What was decided, and why.
    ///
    /// @param kind SPLIT, MERGE, RESHARD, MOVE, LEAVE or WARN
    /// @param tabletIds in key order
    /// @param figures the numbers it is based on, each with its threshold
    /// @param text in words, with keys in the notation of `KeyText`
    /// @param keys in the notation of `KeyText`
    /// @param rejected the alternatives that were considered and not taken
    public record Content(
            String kind,
            Rule rule,
            List<Long> tabletIds,
            List<Figure> figures,
            String text,
            List<String> keys,
            List<String> rejected) {
        public Content {
            tabletIds = List.copyOf(tabletIds);
            figures = List.copyOf(figures);
            keys = List.copyOf(keys);
            rejected = List.copyOf(rejected);
        }

        private static Content of(Table table, Decision decision) {
            return new Content(
                    switch (decision) {
                        case Split _ -> "SPLIT";
                        case Merge _ -> "MERGE";
                        case Reshard _ -> "RESHARD";
                        case Move _ -> "MOVE";
                        case Leave _ -> "LEAVE";
                        case Warn _ -> "WARN";
                    },
                    decision.rule(),
                    decision.tabletIds(),
                    decision.figures(),
                    decision.text(key -> KeyText.of(table, key)),
                    decision.keys().stream().map(key -> KeyText.of(table, key)).toList(),
                    switch (decision) {
                        case Split split -> split.rejected();
                        case Merge merge -> merge.rejected();
                        case Reshard _, Move _, Leave _, Warn _ -> List.of();
                    });
        }
    }

    /// The names are stored on disk.
    public enum State {
        /// There is nothing to do.
        NOTED,
        /// A change that is not carried out: automatic changes are turned off, or only a plan was
        /// requested.
        PLANNED,
        RUNNING,
        DONE,
        FAILED,
        /// The node stopped while the change was running.
        UNKNOWN
    }

    /// The names are stored on disk.
    public enum Helped {
        NOT_KNOWN,
        YES,
        NO
    }

    static TabletDecision of(
            Table table, KeyRange range, Decision decision, State state, long micros) {
        return new TabletDecision(
                0,
                micros,
                micros,
                table.id(),
                table.path(),
                range,
                Content.of(table, decision),
                state,
                0,
                "",
                Helped.NOT_KNOWN,
                "",
                "");
    }

    public String kind() {
        return content.kind;
    }

    public String rule() {
        return content.rule.text();
    }

    public List<Long> tabletIds() {
        return content.tabletIds;
    }

    public String text() {
        return content.text;
    }

    public List<Figure> figures() {
        return content.figures;
    }

    public List<String> figureTexts() {
        return content.figures.stream().map(Figure::text).toList();
    }

    public List<String> keys() {
        return content.keys;
    }

    public List<String> rejected() {
        return content.rejected;
    }

    /// Whether it only states something, and changes no tablet.
    boolean isNote() {
        return state == State.NOTED || state == State.PLANNED;
    }

    TabletDecision numbered(long newNumber) {
        return with(newNumber, state, durationMicros, outcome, helped, verdict);
    }

    private TabletDecision with(
            long newNumber,
            State newState,
            long newDurationMicros,
            String newOutcome,
            Helped newHelped,
            String newVerdict) {
        return new TabletDecision(
                newNumber,
                micros,
                lastMicros,
                tableId,
                path,
                range,
                content,
                newState,
                newDurationMicros,
                newOutcome,
                newHelped,
                newVerdict,
                action);
    }

    /// The decision was repeated, with new figures.
    TabletDecision again(TabletDecision later) {
        return new TabletDecision(
                number,
                micros,
                later.micros,
                tableId,
                later.path,
                later.range,
                later.content,
                state,
                durationMicros,
                outcome,
                helped,
                verdict,
                later.action);
    }

    /// This, carried out by the action with this id.
    TabletDecision by(ObjectId actionId) {
        return new TabletDecision(
                number,
                micros,
                lastMicros,
                tableId,
                path,
                range,
                content,
                state,
                durationMicros,
                outcome,
                helped,
                verdict,
                actionId.text());
    }

    /// The change failed, and is being retried.
    TabletDecision retried(TabletDecision later) {
        return again(later).ended(State.RUNNING, durationMicros, outcome);
    }

    TabletDecision ended(State newState, long newDurationMicros, String newOutcome) {
        return with(number, newState, newDurationMicros, newOutcome, helped, verdict);
    }

    TabletDecision judged(Helped newHelped, String newVerdict) {
        return with(number, state, durationMicros, outcome, newHelped, newVerdict);
    }

    /// The decision as read at start: a change that was running, or whose effect was still unknown,
    /// ended with the previous process.
    TabletDecision found() {
        return switch (state) {
            case RUNNING ->
                    ended(State.UNKNOWN, durationMicros, "the node ended during the change");
            case DONE ->
                    helped == Helped.NOT_KNOWN && verdict.isEmpty()
                            ? judged(helped, "the node ended before that was known")
                            : this;
            case NOTED, PLANNED, FAILED, UNKNOWN -> this;
        };
    }
}
