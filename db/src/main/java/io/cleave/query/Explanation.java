package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.value.Type;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The plan of a text, as JSON for programs and as a tree for people, with its parameters, its
/// warnings, and the time it took to compile.
public record Explanation(
        String json,
        String tree,
        Map<String, Type> parameters,
        List<Issue> warnings,
        boolean fromCache,
        long micros) {
    public Explanation {
        parameters = Map.copyOf(parameters);
        warnings = List.copyOf(warnings);
    }

    static Explanation ofAll(String json, String tree, List<Compiled> parts) {
        Map<String, Type> parameters = new HashMap<>();
        parts.forEach(part -> parameters.putAll(part.program().parameters()));
        return new Explanation(
                json,
                tree,
                parameters,
                parts.stream()
                        .flatMap(part -> part.program().warnings().stream())
                        .distinct()
                        .toList(),
                false,
                parts.stream().mapToLong(Compiled::micros).sum());
    }
}
