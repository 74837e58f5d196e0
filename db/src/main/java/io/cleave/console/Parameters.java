package io.cleave.console;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.console.Operations.Stretch;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The parameters of a request, `?table=t&at=1&at=2`. What is wrong with them is BAD_REQUEST with
/// how they should look.
final class Parameters {
    private final String usage;
    private final Map<String, List<String>> values = new HashMap<>();

    /// Of a query as it came; `names` are those that may be in it.
    Parameters(@Nullable String rawQuery, String usage, Set<String> names) {
        this.usage = usage;
        for (String part : rawQuery == null ? new String[0] : rawQuery.split("&", -1)) {
            String[] pair = part.split("=", 2);
            if (!names.contains(pair[0])) {
                throw refused("there is no parameter '" + pair[0] + "'");
            }
            if (pair.length < 2) {
                throw refused("'" + pair[0] + "' has no value");
            }
            values.computeIfAbsent(pair[0], _ -> new ArrayList<>()).add(decoded(pair[1]));
        }
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

    long number(String name) {
        return number(name, get(name));
    }

    long number(String name, String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw refused("'" + name + "' is a number, and not '" + text + "'");
        }
        return Long.parseLong(text);
    }

    /// `1,2,3`.
    List<Long> numbers(String name) {
        return parts(name).stream().map(text -> number(name, text)).toList();
    }

    /// `1,3..5`.
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
            throw refused("'" + text + "' is not encoded as it should be in a URL");
        }
    }

    StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why + ": " + usage);
    }
}
