package io.cleave.jsonpath;

import io.cleave.value.Json;

import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/// A path such as `lax $.items[*] ? (@.price > 10).name`, ready to be applied to documents. Without
/// state, for any thread.
///
/// In `lax` mode, which is the usual one, a missing member is no item, and arrays are taken apart
/// or made where a step wants one or none. In `strict` mode these are errors.
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

    /// The items that the path finds in the document, in its order. `pass` is told of each some
    /// small steps, and may throw to end it.
    public List<Json> find(Json document, Map<String, Json> variables, IntConsumer pass)
            throws JsonPathException {
        return new PathEvaluator(strict, document, variables, pass).find(root);
    }
}
