package io.cleave.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.plan.PlanRules;
import io.cleave.plan.PlanText;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What queries answer, from the files in testdata/queries and testdata/explain, and what each rule
/// makes of plans, from those in testdata/rules.
class QueriesTest {
    private static final Path RULES = Path.of("src/test/testdata/rules");

    private QueryBench<FakeDatabase> bench = QueryBench.fake();

    @TestFactory
    Stream<DynamicTest> queriesAnswer() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/queries"), this::run);
    }

    @TestFactory
    Stream<DynamicTest> plansExplainThemselves() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/explain"), this::run);
    }

    @TestFactory
    Stream<DynamicTest> rulesChangePlans() throws IOException {
        return DataDriven.run(RULES, this::run);
    }

    @Test
    void everyRuleHasATextThatShowsWhatItDoes() throws IOException {
        for (PlanRules.Rule rule : PlanRules.Rule.values()) {
            Path file = RULES.resolve(rule.name().toLowerCase(Locale.ROOT) + ".txt");
            assertThat(Files.readAllLines(file)).contains("rule name=" + rule.name());
        }
    }

    private String run(Command command) {
        return switch (command.name()) {
            // Each file begins with a database of its own.
            case "database" -> {
                bench = QueryBench.fake();
                yield "empty";
            }
            case "query" -> bench.answer(command.input());
            // What the store says of how many rows a table has.
            case "rows" -> {
                long count = Long.parseLong(command.args().get("count"));
                bench.database.setEstimate("/local/" + command.args().get("table"), count);
                yield "ok";
            }
            case "definition" ->
                    bench.compile(String.join("\n", command.input()), Map.of()).steps().stream()
                            .map(Object::toString)
                            .collect(Collectors.joining("\n"));
            case "explain" -> {
                var input = bench.input(command.input());
                var program = bench.compile(input.text(), input.types());
                yield program.kind() + "\n" + new PlanText(bench.database).tree(program);
            }
            // The plan that all other rules make, and the plan with this one.
            case "rule" -> {
                var rule = PlanRules.Rule.valueOf(command.args().get("name"));
                var input = bench.input(command.input());
                var text = new PlanText(bench.database);
                String before =
                        text.tree(
                                bench.compile(
                                        input.text(), input.types(), PlanRules.without(rule)));
                String after = text.tree(bench.compile(input.text(), input.types()));
                yield "before\n" + before + "after\n" + after;
            }
            case "json" -> {
                var input = bench.input(command.input());
                var program = bench.compile(input.text(), input.types());
                yield new PlanText(bench.database).json(program);
            }
            // The same as YDB's command line prints it.
            case "printed" -> {
                var input = bench.input(command.input());
                var program = bench.compile(input.text(), input.types());
                yield PlanPrinter.print(new PlanText(bench.database).json(program));
            }
            default -> throw new IllegalArgumentException(command.name());
        };
    }
}
