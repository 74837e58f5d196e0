package io.cleave.plan.range;

import io.cleave.base.Bytes;
import io.cleave.plan.range.KeyConstraint.Branch;
import io.cleave.value.Ints;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// Prints key sets and the ends of ranges as YTsaurus does: `[20, 10, <Max>]`.
public final class ConstraintText {
    /// The number of lines after which the text of a set is cut.
    private static final int MOST_LINES = 1_000;

    private final List<Type> types;
    private final StringBuilder text = new StringBuilder("Constraints:");
    private int lines;

    private ConstraintText(List<Type> types) {
        this.types = types;
    }

    /// Prints a set as a tree: one line for each interval, indented by the position of its column.
    public static String of(KeyConstraint set, List<Type> types) {
        var text = new ConstraintText(types);
        text.add(set);
        return text.text.toString();
    }

    private void add(KeyConstraint set) {
        if (set.isAll()) {
            text.append(" <universe>");
            return;
        }
        if (set.isNone()) {
            text.append(" <empty>");
            return;
        }
        for (Branch branch : set.branches()) {
            if (++lines > MOST_LINES) {
                text.append(lines == MOST_LINES + 1 ? "\n..." : "");
                return;
            }
            text.append('\n').append(". ".repeat(set.column()));
            text.append(interval(branch.interval(), types.get(set.column()))).append(':');
            add(branch.next());
        }
    }

    private static String interval(ColumnInterval interval, Type type) {
        if (interval.isExact()) {
            return value(type, interval.value());
        }
        return (interval.lower().after() ? "(" : "[")
                + bound(type, interval.lower())
                + " .. "
                + bound(type, interval.upper())
                + (interval.upper().after() ? "]" : ")");
    }

    private static String bound(Type type, Bound bound) {
        return bound.isEnd() ? bound.place() < 0 ? "<Min>" : "<Max>" : value(type, bound.value());
    }

    /// Prints one end of a range.
    public static String of(KeyLimit limit, List<Type> types) {
        List<String> texts = new ArrayList<>();
        for (int column = 0; column < limit.values().size(); column++) {
            texts.add(value(types.get(column), limit.values().get(column)));
        }
        if (limit.max()) {
            texts.add("<Max>");
        }
        return "[" + String.join(", ", texts) + "]";
    }

    private static String value(Type type, Value value) {
        return switch (value) {
            case Value.Null _ -> "<Null>";
            case Value.Int(long number) ->
                    type.unwrapped() instanceof Primitive primitive && !Ints.isSigned(primitive)
                            ? Long.toUnsignedString(number) + "u"
                            : Long.toString(number);
            case Value.Binary(Bytes bytes) -> '"' + bytes.utf8() + '"';
            case Value.Text(String string) -> '"' + string + '"';
            default -> TextForm.print(type, value);
        };
    }
}
