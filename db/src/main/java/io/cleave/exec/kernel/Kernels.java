package io.cleave.exec.kernel;

import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.kernel.LogicKernel.Logic;
import io.cleave.exec.kernel.LongKernel.Operation;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.DecimalMath;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Compiles typed expressions to kernels. If any part of an expression has no kernel, the whole
/// expression runs row by row. Kernels evaluate all their parts, so a part that could fail must not
/// be inside one.
public final class Kernels {
    /// 32-bit integers fit into the widest Decimal with a scale up to this.
    private static final int MAX_COMPARED_SCALE = 25;

    private static final Set<String> MATCHES = Set.of("LIKE", "ILIKE", "GLOB");

    private final int width;
    private int count;

    /// Kernels by what they compute. Equal expressions share a kernel, which is evaluated once for
    /// a batch.
    private final Map<Object, Kernel> known = new HashMap<>();

    /// `width` is the width of the rows that the expressions read.
    public Kernels(int width) {
        this.width = width;
    }

    /// The number of kernels so far that keep a result.
    public int count() {
        return count;
    }

    public Kernel of(Typed expression) {
        Kernel kernel = find(expression);
        return kernel != null ? kernel : byRow(expression);
    }

    private Kernel byRow(Typed expression) {
        int[] read = TypedTree.inputs(expression).stream().mapToInt(Integer::intValue).toArray();
        return new RowKernel(
                count++,
                expression.type(),
                Evaluator.compile(expression),
                new RowKernel.Columns(read, width));
    }

    /// A kernel that cannot fail; null if there is none.
    private @Nullable Kernel find(Typed expression) {
        if (expression instanceof Typed.Input(_, int index)) {
            return known.computeIfAbsent(new ColumnKernel(index), kernel -> (Kernel) kernel);
        }
        boolean simple =
                expression instanceof Typed.Constant
                        || expression instanceof Typed.Parameter
                        || expression instanceof Typed.SubQueryResult;
        if (simple) {
            return known.computeIfAbsent(
                    expression,
                    _ ->
                            new FixedKernel(
                                    count++, expression.type(), Evaluator.compile(expression)));
        }
        return switch (expression) {
            case Typed.Apply apply when MATCHES.contains(apply.function().name()) -> match(apply);
            case Typed.Apply apply -> arithmetic(apply);
            case Typed.Convert convert -> convert(convert);
            case Typed.Compare compare -> compare(compare);
            case Typed.And and -> logic(Logic.AND, and.terms());
            case Typed.Or or -> logic(Logic.OR, or.terms());
            case Typed.Not not -> logic(Logic.NOT, List.of(not.operand()));
            case Typed.IsNull isNull -> {
                Kernel operand = find(isNull.operand());
                yield operand == null
                        ? null
                        : new LogicKernel(count++, Logic.IS_NULL, List.of(operand));
            }
            case Typed.Choose choose -> choose(choose);
            case Typed.Coalesce coalesce -> coalesce(coalesce);
            case Typed.In in -> in(in);
            default -> null;
        };
    }

    private @Nullable Kernel choose(Typed.Choose choose) {
        List<Kernel> conditions = new ArrayList<>();
        List<Kernel> results = new ArrayList<>();
        for (Typed.Branch branch : choose.branches()) {
            boolean bool = branch.condition().type().unwrapped() == Primitive.BOOL;
            Kernel condition = bool ? find(branch.condition()) : null;
            Kernel result = condition == null ? null : findAs(branch.result(), choose.type());
            if (condition == null || result == null) {
                return null;
            }
            conditions.add(condition);
            results.add(result);
        }
        Kernel otherwise = findAs(choose.otherwise(), choose.type());
        if (otherwise == null) {
            return null;
        }
        results.add(otherwise);
        return new ChooseKernel(count++, choose.type(), conditions, results);
    }

    private @Nullable Kernel coalesce(Typed.Coalesce coalesce) {
        List<Kernel> arguments = new ArrayList<>();
        for (Typed argument : coalesce.arguments()) {
            Kernel kernel = findAs(argument, coalesce.type());
            if (kernel == null) {
                return null;
            }
            arguments.add(kernel);
        }
        return new CoalesceKernel(count++, coalesce.type(), arguments);
    }

    /// A kernel whose values have the given type or are NULL.
    private @Nullable Kernel findAs(Typed expression, Type type) {
        if (expression instanceof Typed.Constant(_, Value value) && value.isNull()) {
            return find(new Typed.Constant(type.optional(), value));
        }
        return expression.type().unwrapped().equals(type.unwrapped()) ? find(expression) : null;
    }

    /// Only for a collection that is known before the first row and cannot fail to evaluate.
    private @Nullable Kernel in(Typed.In in) {
        boolean[] simple = {true};
        TypedTree.walk(
                in.collection(),
                part ->
                        simple[0] &=
                                part instanceof Typed.Constant
                                        || part instanceof Typed.Parameter
                                        || part instanceof Typed.SubQueryResult
                                        || part instanceof Typed.ItemsOf);
        Kernel operand = simple[0] ? find(in.operand()) : null;
        return operand == null
                ? null
                : new InKernel(
                        count++, in, operand, Evaluator.compile(in.collection()), new Object());
    }

    /// With a constant pattern, the string is the only argument.
    private @Nullable Kernel match(Typed.Apply apply) {
        boolean one = apply.arguments().size() == 1;
        Typed text = apply.arguments().getFirst();
        Kernel operand = one && isString(text.type().unwrapped()) ? find(text) : null;
        return operand == null ? null : new MatchKernel(count++, apply.function(), operand);
    }

    private @Nullable Kernel logic(Logic logic, List<Typed> terms) {
        List<Kernel> kernels = new ArrayList<>();
        for (Typed term : terms) {
            Kernel kernel = term.type().unwrapped() == Primitive.BOOL ? find(term) : null;
            if (kernel == null) {
                return null;
            }
            kernels.add(kernel);
        }
        return new LogicKernel(count++, logic, kernels);
    }

    /// Chooses the kernel by the function's name and the types it was resolved for.
    private @Nullable Kernel arithmetic(Typed.Apply apply) {
        Operation operation =
                switch (apply.function().name()) {
                    case "+" -> Operation.ADD;
                    case "-" -> Operation.SUBTRACT;
                    case "*" -> Operation.MULTIPLY;
                    case "/" -> Operation.DIVIDE;
                    case "%" -> Operation.MODULO;
                    default -> null;
                };
        if (operation == null || apply.arguments().size() != 2) {
            return null;
        }
        Typed first = apply.arguments().get(0);
        Typed second = apply.arguments().get(1);
        Type type = apply.type().unwrapped();
        boolean sameTypes =
                first.type().unwrapped().equals(type) && second.type().unwrapped().equals(type);
        Kernel left = sameTypes ? find(first) : null;
        Kernel right = left == null ? null : find(second);
        if (left == null || right == null) {
            return null;
        }
        var same = new Arithmetic(operation, type, left, right);
        Kernel before = known.get(same);
        if (before != null) {
            return before;
        }
        Kernel made = arithmetic(operation, type, left, right);
        if (made != null) {
            known.put(same, made);
        }
        return made;
    }

    /// The key of an arithmetic kernel. Operands are compared by identity, which is enough because
    /// equal expressions share a kernel. A comparison by content would recurse as deep as the
    /// expression.
    private record Arithmetic(Operation operation, Type type, Kernel left, Kernel right) {
        @Override
        @SuppressWarnings("ReferenceEquality") // intended: see above
        public boolean equals(Object other) {
            return other instanceof Arithmetic(var operation2, var type2, var left2, var right2)
                    && operation == operation2
                    && type.equals(type2)
                    && left == left2
                    && right == right2;
        }

        @Override
        public int hashCode() {
            int operands = 31 * System.identityHashCode(left) + System.identityHashCode(right);
            return 31 * (31 * operation.hashCode() + type.hashCode()) + operands;
        }
    }

    private @Nullable Kernel arithmetic(Operation operation, Type type, Kernel left, Kernel right) {
        return switch (type) {
            case Primitive primitive when Ints.isInteger(primitive) ->
                    new LongKernel(count++, operation, primitive, left, right);
            case Primitive.FLOAT, Primitive.DOUBLE ->
                    new DoubleKernel(count++, operation, (Primitive) type, left, right);
            case Type.Decimal decimal
                    when operation != Operation.DIVIDE && operation != Operation.MODULO ->
                    new DecimalKernel(count++, operation, decimal, left, right);
            default -> null;
        };
    }

    /// Implicit and explicit conversions that lose nothing.
    private @Nullable Kernel convert(Typed.Convert convert) {
        Type from = convert.operand().type().unwrapped();
        Type to = convert.type().unwrapped();
        boolean sameVector =
                from.equals(to)
                        || (from == Primitive.FLOAT && to == Primitive.DOUBLE)
                        || isWider(from, to);
        boolean converted =
                Ints.isInteger(from) && (to == Primitive.DOUBLE || to instanceof Type.Decimal);
        Kernel operand = sameVector || converted ? find(convert.operand()) : null;
        if (operand == null || sameVector) {
            return operand;
        }
        return new ConvertKernel(count++, convert.type(), operand, convert.conversion());
    }

    /// Whether `to` holds every value of `from`, with the same bits in a vector.
    private static boolean isWider(Type from, Type to) {
        if (from instanceof Type.Decimal(int digits, int scale)
                && to instanceof Type.Decimal(int otherDigits, int otherScale)) {
            return scale == otherScale && digits <= otherDigits;
        }
        if (!Ints.isInteger(from) || !Ints.isInteger(to)) {
            return false;
        }
        var source = (Primitive) from;
        var target = (Primitive) to;
        return Ints.isSigned(source) == Ints.isSigned(target)
                ? Ints.bytes(source) <= Ints.bytes(target)
                : Ints.isSigned(target) && Ints.bytes(source) < Ints.bytes(target);
    }

    private @Nullable Kernel compare(Typed.Compare node) {
        Type l = node.left().type().unwrapped();
        Type r = node.right().type().unwrapped();
        Typed left = node.left();
        Typed right = node.right();
        boolean unsigned = l == Primitive.UINT64 || r == Primitive.UINT64;
        boolean comparable;
        if (l instanceof Type.Decimal && r instanceof Type.Decimal) {
            comparable = true;
        } else if (l instanceof Type.Decimal decimal && isSmall(r, decimal)) {
            right = scaled(right, decimal);
            comparable = true;
        } else if (r instanceof Type.Decimal decimal && isSmall(l, decimal)) {
            left = scaled(left, decimal);
            comparable = true;
        } else if (isReal(l) && isReal(r)) {
            comparable = true;
        } else if (isReal(l) && isSmall(r)) {
            right = real(right);
            comparable = true;
        } else if (isReal(r) && isSmall(l)) {
            left = real(left);
            comparable = true;
        } else if (Ints.isInteger(l) && Ints.isInteger(r)) {
            boolean anySigned = Ints.isSigned((Primitive) l) || Ints.isSigned((Primitive) r);
            comparable = !unsigned || !anySigned;
        } else {
            comparable = (isString(l) && isString(r)) || (l.equals(r) && isPlain(l));
        }
        Kernel a = comparable ? find(left) : null;
        Kernel b = a == null ? null : find(right);
        return a == null || b == null
                ? null
                : new CompareKernel(count++, node.comparison(), unsigned, a, b);
    }

    private static boolean isReal(Type type) {
        return type == Primitive.FLOAT || type == Primitive.DOUBLE;
    }

    private static boolean isString(Type type) {
        return type == Primitive.STRING || type == Primitive.UTF8;
    }

    /// Whether the type is a date, an interval or a Bool.
    private static boolean isPlain(Type type) {
        return type instanceof Primitive primitive
                && (primitive == Primitive.BOOL || Ints.bytes(primitive) > 0);
    }

    /// Whether the type is an integer of which every value is exactly representable as a Double.
    private static boolean isSmall(Type type) {
        return Ints.isInteger(type) && Ints.bytes((Primitive) type) <= Integer.BYTES;
    }

    private static boolean isSmall(Type type, Type.Decimal beside) {
        return isSmall(type) && beside.scale() <= MAX_COMPARED_SCALE;
    }

    private static Typed real(Typed integer) {
        return converted(
                integer, Primitive.DOUBLE, value -> Value.of((double) ((Value.Int) value).value()));
    }

    /// Converts to a Decimal that is wide enough for any 32-bit integer.
    private static Typed scaled(Typed integer, Type.Decimal like) {
        var wide = new Type.Decimal(Type.Decimal.MAX_PRECISION, like.scale());
        return converted(
                integer,
                wide,
                value ->
                        DecimalMath.ofInteger(
                                wide, BigInteger.valueOf(((Value.Int) value).value())));
    }

    private static Typed converted(Typed integer, Type type, UnaryOperator<Value> conversion) {
        Type result = integer.type().isOptional() ? new Type.Optional(type) : type;
        if (integer instanceof Typed.Constant(_, Value value)) {
            return new Typed.Constant(result, value.isNull() ? value : conversion.apply(value));
        }
        return new Typed.Convert(result, integer, conversion);
    }
}
