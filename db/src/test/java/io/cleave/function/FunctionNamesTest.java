package io.cleave.function;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.function.aggregate.Aggregates;
import io.cleave.function.aggregate.WindowFunctions;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Which functions of YDB's manual there are, from the files in testdata/functions: the answer
/// names those that are not, apart by whether they are refused by name or not known at all.
///
/// - `builtins`: names of functions, aggregates and window functions.
/// - `module name=X`: names in a module.
class FunctionNamesTest {
    private static final Position AT = new Position(1, 1);

    /// These are words of the language, not of the library.
    private static final Set<String> SPECIAL = Set.of("grouping", "tablerow", "jointablerow");

    @TestFactory
    Stream<DynamicTest> functions() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/functions"), FunctionNamesTest::run);
    }

    private static String run(Command command) {
        Set<String> refused = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        List<String> names = new ArrayList<>();
        command.input().forEach(line -> names.addAll(List.of(line.strip().split("\\s+"))));
        Optional<String> module = Optional.ofNullable(command.args().get("name"));
        for (String name : names) {
            String whole = module.map(m -> m + "::" + name).orElse(name);
            if (Functions.isRefused(whole) || module.isEmpty() && Aggregates.isRefused(name)) {
                refused.add(name);
            } else if (!isKnown(module, name)) {
                unknown.add(name);
            }
        }
        return "%d names\nrefused: %s\nunknown: %s"
                .formatted(names.size(), String.join(" ", refused), String.join(" ", unknown))
                .replaceAll("(?m) +$", "");
    }

    private static boolean isKnown(Optional<String> module, String name) {
        if (module.isEmpty()
                && (Aggregates.isAggregate(name)
                        || WindowFunctions.isWindowFunction(name)
                        || SPECIAL.contains(name.toLowerCase(Locale.ROOT)))) {
            return true;
        }
        try {
            Functions.find(AT, module, name);
            return true;
        } catch (StatusException _) {
            return false;
        }
    }
}
