package io.cleave.exec.kernel;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.InCode;
import io.cleave.exec.eval.RunContext;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.LongVector;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import java.util.Arrays;
import java.util.List;

/// `operand IN collection`, where the collection is the same for all rows. Numbers and dates are
/// found by binary search in a sorted array; other values are found by [InCode]. `owner` is the key
/// under which a run remembers the prepared collection.
record InKernel(int number, Typed.In node, Kernel operand, Evaluation collection, Object owner)
        implements Kernel {
    private static final Value[] NO_ROW = {};

    /// The collection without its NULLs, ascending.
    private static final class Numbers {
        private final long[] sorted;
        private final boolean hasNull;

        Numbers(long[] sorted, boolean hasNull) {
            this.sorted = sorted;
            this.hasNull = hasNull;
        }
    }

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        Vector values = operand.eval(run, rows, count);
        LongVector result = run.fresh(number, Primitive.BOOL, LongVector.class);
        if (count == 0) {
            return result;
        }
        Object members = run.context().remember(owner, Object.class, () -> members(run.context()));
        if (members instanceof Numbers numbers && values instanceof LongVector longs) {
            find(longs, numbers, result, rows, count);
            return result;
        }
        Type type = node.operand().type().unwrapped();
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            result.set(
                    row, InCode.find(type, values.get(row), (InCode.Members) members, node.ansi()));
        }
        return result;
    }

    private void find(
            LongVector values, Numbers numbers, LongVector result, int[] rows, int count) {
        boolean empty = numbers.sorted.length == 0 && !numbers.hasNull;
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            if (empty && node.ansi()) {
                result.values()[row] = 0;
            } else if (values.isNull(row)) {
                result.setNull(row);
            } else if (Arrays.binarySearch(numbers.sorted, values.values()[row]) >= 0) {
                result.values()[row] = 1;
            } else if (numbers.hasNull && node.ansi()) {
                result.setNull(row);
            } else {
                result.values()[row] = 0;
            }
        }
    }

    private Object members(RunContext context) {
        Type type = node.collection().type().unwrapped();
        Value items = collection.eval(NO_ROW, context);
        return items instanceof Value.Items(List<Value> all) && areAlike(type)
                ? numbers(all)
                : InCode.members(type, items, context::pass);
    }

    private static Numbers numbers(List<Value> items) {
        long[] sorted =
                items.stream()
                        .filter(item -> !item.isNull())
                        .mapToLong(item -> ((Value.Int) item).value())
                        .sorted()
                        .toArray();
        return new Numbers(sorted, sorted.length < items.size());
    }

    /// Whether all items represent numbers in the same way as the operand's type does.
    private boolean areAlike(Type type) {
        return switch (type) {
            case Type.ListOf(Type item) -> isAlike(item.unwrapped());
            case Type.Tuple(List<Type> items) ->
                    items.stream().map(Type::unwrapped).allMatch(this::isAlike);
            default -> false;
        };
    }

    private boolean isAlike(Type item) {
        Type type = node.operand().type().unwrapped();
        if (Ints.isInteger(type) && Ints.isInteger(item)) {
            // A large Uint64 has the same bits as a negative number of a signed type.
            boolean wide = type == Primitive.UINT64 || item == Primitive.UINT64;
            boolean signed = Ints.isSigned((Primitive) type) || Ints.isSigned((Primitive) item);
            return !wide || !signed;
        }
        return item.equals(type)
                && type instanceof Primitive primitive
                && primitive != Primitive.BOOL
                && Ints.bytes(primitive) > 0;
    }
}
