package io.cleave.jsonpath;

import io.cleave.value.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.IntConsumer;

/// Applies a path to a document, once. Used by one thread.
final class PathEvaluator {
    private final boolean strict;
    private final Json document;
    private final Map<String, Json> variables;
    private final IntConsumer pass;

    /// The items that `@` stands for, innermost first.
    private final Deque<Json> filtered = new ArrayDeque<>();

    /// The arrays that `last` refers to, innermost first.
    private final Deque<List<Json>> arrays = new ArrayDeque<>();

    private final PathPredicates predicates;

    PathEvaluator(boolean strict, Json document, Map<String, Json> variables, IntConsumer pass) {
        this.strict = strict;
        this.document = document;
        this.variables = variables;
        this.pass = pass;
        this.predicates = new PathPredicates(this, strict);
    }

    /// Call this before doing the given number of steps.
    void pass(int steps) {
        pass.accept(steps);
    }

    List<Json> find(PathNode node) throws JsonPathException {
        pass(1);
        return switch (node) {
            case PathNode.Document _ -> List.of(document);
            case PathNode.Filtered _ -> List.of(innermost(filtered, "'@' outside of a filter"));
            case PathNode.Last _ ->
                    number(innermost(arrays, "'last' outside of an array subscript").size() - 1.0);
            case PathNode.Variable(String name) -> variable(name);
            case PathNode.Literal(Json value) -> List.of(value);
            case PathNode.Member member -> member(member);
            case PathNode.EveryMember(PathNode input) -> everyMember(input);
            case PathNode.Elements elements -> elements(elements);
            case PathNode.EveryElement(PathNode input) -> everyElement(input);
            case PathNode.Filter filter -> filter(filter);
            case PathNode.Method method -> method(method);
            case PathNode.Negate(PathNode operand) -> signed(operand, true);
            case PathNode.Positive(PathNode operand) -> signed(operand, false);
            case PathNode.Arithmetic arithmetic -> arithmetic(arithmetic);
            case PathNode.Compare _, PathNode.And _, PathNode.Or _, PathNode.Not _ ->
                    predicate(node);
            case PathNode.StartsWith _, PathNode.IsUnknown _ -> predicate(node);
            case PathNode.Exists _, PathNode.LikeRegex _ -> predicate(node);
        };
    }

    /// The value of a predicate as an item; unknown is `null`.
    private List<Json> predicate(PathNode node) throws JsonPathException {
        Boolean holds = predicates.holds(node);
        return List.of(holds == null ? Json.Constant.NULL : constant(holds));
    }

    private static Json constant(boolean value) {
        return value ? Json.Constant.TRUE : Json.Constant.FALSE;
    }

    private static <T> T innermost(Deque<T> stack, String otherwise) throws JsonPathException {
        T top = stack.peek();
        if (top == null) {
            throw new JsonPathException(otherwise);
        }
        return top;
    }

    private static List<Json> number(double number) {
        return List.of(new Json.Numeral(number));
    }

    private List<Json> variable(String name) throws JsonPathException {
        Json value = variables.get(name);
        if (value == null) {
            throw new JsonPathException("Undefined variable '" + name + "'");
        }
        return List.of(value);
    }

    /// In lax mode, replaces arrays by their items.
    List<Json> unwrapped(List<Json> items) {
        pass(items.size());
        if (strict || items.stream().noneMatch(item -> item instanceof Json.Array)) {
            return items;
        }
        var result = new ArrayList<Json>();
        for (Json item : items) {
            if (item instanceof Json.Array(List<Json> inner)) {
                pass(inner.size());
                result.addAll(inner);
            } else {
                result.add(item);
            }
        }
        return result;
    }

    private List<Json> member(PathNode.Member member) throws JsonPathException {
        var result = new ArrayList<Json>();
        for (Json item : unwrapped(find(member.input()))) {
            Json found = members(item).get(member.name());
            if (found != null) {
                result.add(found);
            } else if (strict) {
                throw new JsonPathException("Member not found: " + member.name());
            }
        }
        return result;
    }

    /// The members of an object. Anything else has no members; in strict mode it is an error.
    private SequencedMap<String, Json> members(Json item) throws JsonPathException {
        if (item instanceof Json.Members(SequencedMap<String, Json> members)) {
            return members;
        }
        if (strict) {
            throw new JsonPathException("Expected object");
        }
        return new LinkedHashMap<>();
    }

    private List<Json> everyMember(PathNode input) throws JsonPathException {
        var result = new ArrayList<Json>();
        for (Json item : unwrapped(find(input))) {
            SequencedMap<String, Json> members = members(item);
            pass(members.size());
            result.addAll(members.values());
        }
        return result;
    }

    /// The array; in lax mode, any other item becomes an array of one.
    private List<Json> array(Json item) throws JsonPathException {
        if (item instanceof Json.Array(List<Json> items)) {
            return items;
        }
        if (strict) {
            throw new JsonPathException("Expected array");
        }
        return List.of(item);
    }

    private List<Json> everyElement(PathNode input) throws JsonPathException {
        var result = new ArrayList<Json>();
        for (Json item : find(input)) {
            List<Json> array = array(item);
            pass(array.size());
            result.addAll(array);
        }
        return result;
    }

    private List<Json> elements(PathNode.Elements elements) throws JsonPathException {
        var result = new ArrayList<Json>();
        for (Json item : find(elements.input())) {
            List<Json> array = array(item);
            arrays.push(array);
            for (PathNode.Subscript subscript : elements.subscripts()) {
                select(array, subscript, result);
            }
            arrays.pop();
        }
        return result;
    }

    private void select(List<Json> array, PathNode.Subscript subscript, List<Json> result)
            throws JsonPathException {
        long from = index(subscript.from());
        PathNode upTo = subscript.to();
        long to = upTo == null ? from : index(upTo);
        if (!isIn(array, from) || !isIn(array, to)) {
            if (strict) {
                throw new JsonPathException("Array index out of bounds");
            }
            return;
        }
        if (from > to && strict) {
            throw new JsonPathException("Range lower bound is greater than upper bound");
        }
        pass((int) Math.max(0, to - from));
        for (long index = from; index <= to; index++) {
            result.add(array.get((int) index));
        }
    }

    private static boolean isIn(List<Json> array, long index) {
        return index >= 0 && index < array.size();
    }

    private long index(PathNode subscript) throws JsonPathException {
        List<Json> items = find(subscript);
        if (items.size() == 1 && items.getFirst() instanceof Json.Numeral(double number, _)) {
            return (long) Math.floor(number);
        }
        throw new JsonPathException("Array index must be a single number");
    }

    private List<Json> filter(PathNode.Filter filter) throws JsonPathException {
        var result = new ArrayList<Json>();
        for (Json item : unwrapped(find(filter.input()))) {
            filtered.push(item);
            if (passes(filter.predicate())) {
                result.add(item);
            }
            filtered.pop();
        }
        return result;
    }

    /// A predicate that fails counts as false.
    private boolean passes(PathNode predicate) {
        int depth = arrays.size();
        int filters = filtered.size();
        try {
            List<Json> outcome = find(predicate);
            return outcome.size() == 1 && outcome.getFirst() == Json.Constant.TRUE;
        } catch (JsonPathException _) {
            unwind(arrays, depth);
            unwind(filtered, filters);
            return false;
        }
    }

    private static void unwind(Deque<?> stack, int depth) {
        while (stack.size() > depth) {
            stack.pop();
        }
    }

    /// Like [#find], but null if that fails.
    @Nullable List<Json> findOrFail(PathNode node) {
        int depth = arrays.size();
        int filters = filtered.size();
        try {
            return find(node);
        } catch (JsonPathException _) {
            unwind(arrays, depth);
            unwind(filtered, filters);
            return null;
        }
    }

    private List<Json> method(PathNode.Method method) throws JsonPathException {
        List<Json> input = find(method.input());
        boolean whole =
                method.name() == PathNode.MethodName.TYPE
                        || method.name() == PathNode.MethodName.SIZE;
        var result = new ArrayList<Json>();
        for (Json item : whole ? input : unwrapped(input)) {
            PathMethods.apply(method.name(), item, result);
        }
        return result;
    }

    private List<Json> signed(PathNode operand, boolean negative) throws JsonPathException {
        var result = new ArrayList<Json>();
        for (Json item : find(operand)) {
            if (!(item instanceof Json.Numeral(double number, _))) {
                throw new JsonPathException("Unsupported type for unary operations");
            }
            result.add(negative ? new Json.Numeral(-number) : item);
        }
        return result;
    }

    private List<Json> arithmetic(PathNode.Arithmetic arithmetic) throws JsonPathException {
        double left = operand(arithmetic.left());
        double right = operand(arithmetic.right());
        boolean divides =
                arithmetic.operator() == PathNode.Operator.DIVIDE
                        || arithmetic.operator() == PathNode.Operator.MODULO;
        if (divides && right == 0) {
            throw new JsonPathException("Division by zero");
        }
        double result =
                switch (arithmetic.operator()) {
                    case ADD -> left + right;
                    case SUBTRACT -> left - right;
                    case MULTIPLY -> left * right;
                    case DIVIDE -> left / right;
                    case MODULO -> left % right;
                };
        if (Double.isInfinite(result)) {
            throw new JsonPathException("Binary operation result is infinity");
        }
        return number(result);
    }

    private double operand(PathNode node) throws JsonPathException {
        List<Json> items = find(node);
        if (items.size() != 1) {
            throw new JsonPathException(
                    "Expected exactly 1 item as an operand for binary operation");
        }
        if (items.getFirst() instanceof Json.Numeral(double number, _)) {
            return number;
        }
        throw new JsonPathException("Unsupported type for binary operations");
    }
}
