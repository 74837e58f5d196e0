package io.cleave.jsonpath;

import io.cleave.value.Json;

import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/// A parsed path such as `lax $.items[*] ? (@.price > 10).name`, to be applied to documents. It is
/// immutable, so any thread may use it.
///
/// In `lax` mode, which is the default, a missing member yields no item. Where a step needs an
/// array, a single item becomes an array; where a step needs an item, an array is unwrapped. In
/// `strict` mode these are errors.
public final class JsonPath {
    private final boolean strict;
    private final PathNode root;

    private JsonPath(boolean strict, PathNode root) {
        this.strict = strict;
        this.root = root;
    }

    public static JsonPath parse(String text) throws JsonPathException {
        var parser = new PathParser(text);
        boolean strict = parser.mode();
        return new JsonPath(strict, parser.whole());
    }

    /// The items that the path finds, in the order of the document. `pass` is called with a number
    /// of steps before they are done, and may throw to stop the evaluation.
    public List<Json> find(Json document, Map<String, Json> variables, IntConsumer pass)
            throws JsonPathException {
        return new PathEvaluator(strict, document, variables, pass).find(root);
    }
}
