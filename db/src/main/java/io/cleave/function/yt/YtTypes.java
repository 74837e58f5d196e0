package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.function.UnaryOperator;

/// Turns expressions of the store's types into expressions of the query language's types.
public final class YtTypes {
    /// The maximum number of nodes of an expression that is put into two places.
    private static final int MAX_COPIED_NODES = 10_000;

    private YtTypes() {}

    /// Must be called before an expression is put into two places. Copies of copies would quickly
    /// exhaust the memory.
    static void requireSmall(Typed expression) {
        int count = 0;
        var open = new ArrayDeque<Typed>();
        open.push(expression);
        while (!open.isEmpty()) {
            if (++count > MAX_COPIED_NODES) {
                throw YtQueryErrors.error(
                                "Expression is too large: a part of more than %d nodes is used twice"
                                        .formatted(MAX_COPIED_NODES))
                        .exception();
            }
            TypedTree.children(open.pop()).forEach(open::push);
        }
    }

    /// The expression with the type of the query language. It can be NULL if the operand can.
    /// Numbers and dates keep their bits. Texts become bytes.
    public static Typed widened(Typed expression) {
        Type from = expression.type().unwrapped();
        Type to = YtType.of(from).type();
        if (from.equals(to)) {
            return expression;
        }
        Type result = expression.type().isOptional() ? to.optional() : to;
        UnaryOperator<Value> conversion = conversion(from);
        if (expression instanceof Typed.Constant(_, Value value)) {
            return new Typed.Constant(result, value.isNull() ? value : conversion.apply(value));
        }
        return new Typed.Convert(result, expression, conversion);
    }

    private static UnaryOperator<Value> conversion(Type from) {
        return switch (from) {
            case Primitive.UUID -> YtTypes::uuidBytes;
            case Primitive primitive when primitive.carrier() == Type.Carrier.TEXT ->
                    YtTypes::textBytes;
            case Primitive _ -> UnaryOperator.identity();
            default -> value -> Value.binary(Bytes.utf8(TextForm.print(from, value)));
        };
    }

    private static Value textBytes(Value value) {
        return Value.binary(Bytes.utf8(((Value.Text) value).value()));
    }

    private static Value uuidBytes(Value value) {
        var halves = (Value.Int128) value;
        byte[] bytes = new byte[2 * Long.BYTES];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(halves.low())
                .putLong(halves.high());
        return Value.binary(Bytes.wrap(bytes));
    }
}
