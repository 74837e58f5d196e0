package io.cleave.console;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.console.Operations.Stretch;
import io.cleave.value.Json;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// The parameters of a request, from the query `?table=t&at=1&at=2` or from the JSON body
/// `{"table":"t","at":[1,2]}`. Throws BAD_REQUEST, with the expected usage, if they are wrong.
final class RequestParameters {
    private final String usage;
    private final Set<String> names;
    private final Map<String, List<String>> values = new HashMap<>();

    /// `names` are the allowed parameters.
    RequestParameters(String usage, Set<String> names) {
        this.usage = usage;
        this.names = names;
    }

    /// Adds the parameters of a query, still encoded and without the question mark.
    void addQuery(String rawQuery) {
        for (String part : rawQuery.isEmpty() ? new String[0] : rawQuery.split("&", -1)) {
            String[] pair = part.split("=", 2);
            checkName(pair[0]);
            if (pair.length < 2) {
                throw refused("'" + pair[0] + "' has no value");
            }
            add(pair[0], decoded(pair[1]));
        }
    }

    /// Adds the parameters of a body, which is a JSON object or blank.
    void addBody(String body) {
        if (body.isBlank()) {
            return;
        }
        if (!(Json.parse(body).orElse(Json.Constant.NULL) instanceof Json.Members object)) {
            throw refused("the body must be a JSON object with the parameters, or empty");
        }
        object.members()
                .forEach(
                        (name, value) -> {
                            checkName(name);
                            List<Json> items =
                                    value instanceof Json.Array array
                                            ? array.items()
                                            : List.of(value);
                            items.forEach(item -> add(name, text(name, item)));
                        });
    }

    private String text(String name, Json value) {
        return switch (value) {
            case Json.Text(String text) -> text;
            case Json.Numeral numeral -> numeral.print();
            case Json.Constant constant when constant != Json.Constant.NULL -> constant.print();
            default ->
                    throw refused("'" + name + "' must be a string, a number, or a list of these");
        };
    }

    private void checkName(String name) {
        if (!names.contains(name)) {
            throw refused("there is no parameter '" + name + "'");
        }
    }

    private void add(String name, String value) {
        values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    Optional<String> find(String name) {
        List<String> found = all(name);
        if (found.size() > 1) {
            throw refused("'" + name + "' is given twice");
        }
        return found.stream().findFirst();
    }

    String get(String name) {
        return find(name)
                .filter(value -> !value.isEmpty())
                .orElseThrow(() -> refused("'" + name + "' is missing"));
    }

    /// The path of a table. YTsaurus' clients begin paths with two slashes.
    String table() {
        String path = get("table");
        return path.startsWith("//") ? path.substring(2) : path;
    }

    long number(String name) {
        return number(name, get(name));
    }

    long number(String name, String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw refused("'" + name + "' must be a number, not '" + text + "'");
        }
        return Long.parseLong(text);
    }

    /// A number of things; empty if it is not given.
    OptionalInt count(String name) {
        if (find(name).isEmpty()) {
            return OptionalInt.empty();
        }
        long number = number(name);
        return OptionalInt.of((int) Math.min(number, Integer.MAX_VALUE));
    }

    /// Parses a list of numbers: `1,2,3`.
    List<Long> numbers(String name) {
        return parts(name).stream().map(text -> number(name, text)).toList();
    }

    /// Parses a list of numbers and ranges: `1,3..5`.
    List<Stretch> stretches(String name) {
        List<Stretch> stretches = new ArrayList<>();
        for (String text : parts(name)) {
            List<String> ends = List.of(text.split("\\.\\.", 2));
            stretches.add(new Stretch(number(name, ends.getFirst()), number(name, ends.getLast())));
        }
        return stretches;
    }

    private List<String> parts(String name) {
        return List.of(get(name).split(",", -1));
    }

    private String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw refused("'" + text + "' is not URL-encoded correctly");
        }
    }

    StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why + ": " + usage);
    }
}
