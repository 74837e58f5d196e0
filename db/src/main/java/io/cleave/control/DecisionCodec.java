package io.cleave.control;

import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.control.TabletDecision.Content;
import io.cleave.control.TabletDecision.Helped;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A decision as bytes, in the column `entry` of the system table `decisions`. The decision's
/// number is the row's key. A list is preceded by its element count, a text or key by its length.
///
/// ```
/// u8   form                          1
/// u64  micros, last_micros           here in every form, so that every version can erase old rows
/// var  table
/// text path
/// key  from
/// u8   has_to, key to if 1
/// text kind
/// text rule                          the name of a Rule
/// list tablets                       var
/// list figures                       text name, u64 value, u64 threshold (bits of doubles), text unit
/// text text
/// list keys, rejected                text
/// text state                         the name of a State
/// u64  duration_micros
/// text outcome
/// text helped                        the name of a Helped
/// text verdict
/// text action                        not in rows of versions that had no actions
/// ```
final class DecisionCodec {
    private static final byte FORM = 1;

    /// Longer decisions are not saved: nobody would read keys of that length.
    static final int MOST_BYTES = 64 << 10;

    private DecisionCodec() {}

    /// Empty if the decision is longer than `MOST_BYTES`.
    static Optional<Bytes> encode(TabletDecision entry) {
        var out = new ByteWriter(512);
        out.putByte(FORM);
        out.putLong(entry.micros());
        out.putLong(entry.lastMicros());
        out.putVarLong(entry.tableId());
        out.putText(entry.path());
        out.putBytes(entry.range().from());
        Bytes to = entry.range().to();
        out.putByte(to == null ? 0 : 1);
        if (to != null) {
            out.putBytes(to);
        }
        out.putText(entry.kind());
        out.putText(entry.content().rule().name());
        put(out, entry.tabletIds(), out::putVarLong);
        put(out, entry.figures(), figure -> put(out, figure));
        out.putText(entry.text());
        put(out, entry.keys(), out::putText);
        put(out, entry.rejected(), out::putText);
        out.putText(entry.state().name());
        out.putLong(entry.durationMicros());
        out.putText(entry.outcome());
        out.putText(entry.helped().name());
        out.putText(entry.verdict());
        out.putText(entry.action());
        return out.length() > MOST_BYTES
                ? Optional.empty()
                : Optional.of(Bytes.wrap(out.toArray()));
    }

    private static <T> void put(ByteWriter out, List<T> all, Consumer<T> each) {
        out.putVarInt(all.size());
        all.forEach(each);
    }

    private static void put(ByteWriter out, Figure figure) {
        out.putText(figure.name());
        out.putLong(Double.doubleToLongBits(figure.value()));
        out.putLong(Double.doubleToLongBits(figure.threshold()));
        out.putText(figure.unit().name());
    }

    /// Empty if a newer version wrote it with a form or names that this version does not know.
    static Optional<TabletDecision> decode(long number, Bytes data) {
        var in = new ByteReader(data.array(), 0, data.length());
        if (in.getByte() != FORM) {
            return Optional.empty();
        }
        long micros = in.getLong();
        long lastMicros = in.getLong();
        long tableId = in.getVarLong();
        String path = in.getText();
        Bytes from = in.getBytes();
        var range = new KeyRange(from, in.getByte() == 0 ? null : in.getBytes());
        String kind = in.getText();
        Optional<Rule> rule = named(Rule.values(), in.getText());
        List<Long> tabletIds = list(in, in::getVarLong);
        List<Optional<Figure>> figures = list(in, () -> figure(in));
        String text = in.getText();
        List<String> keys = list(in, in::getText);
        List<String> rejected = list(in, in::getText);
        Optional<State> state = named(State.values(), in.getText());
        long durationMicros = in.getLong();
        String outcome = in.getText();
        Optional<Helped> helped = named(Helped.values(), in.getText());
        String verdict = in.getText();
        String action = in.hasMore() ? in.getText() : "";
        if (rule.isEmpty() || state.isEmpty() || helped.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new TabletDecision(
                        number,
                        micros,
                        lastMicros,
                        tableId,
                        path,
                        range,
                        new Content(
                                kind,
                                rule.get(),
                                tabletIds,
                                figures.stream().flatMap(Optional::stream).toList(),
                                text,
                                keys,
                                rejected),
                        state.get(),
                        durationMicros,
                        outcome,
                        helped.get(),
                        verdict,
                        action));
    }

    /// What decides when the row is erased, whatever its form.
    static DecisionExpiry.Row age(long number, Bytes data) {
        var in = new ByteReader(data.array(), 1, data.length());
        return new DecisionExpiry.Row(number, data.length(), in.getLong(), in.getLong());
    }

    private static <T> List<T> list(ByteReader in, Supplier<T> each) {
        int count = in.getVarInt();
        List<T> all = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            all.add(each.get());
        }
        return all;
    }

    private static Optional<Figure> figure(ByteReader in) {
        String name = in.getText();
        double value = Double.longBitsToDouble(in.getLong());
        double threshold = Double.longBitsToDouble(in.getLong());
        return named(Figure.Unit.values(), in.getText())
                .map(unit -> new Figure(name, value, threshold, unit));
    }

    private static <E extends Enum<E>> Optional<E> named(E[] all, String name) {
        return Arrays.stream(all).filter(each -> each.name().equals(name)).findFirst();
    }
}
