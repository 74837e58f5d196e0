package io.cleave.balance.yt.formula;

import io.cleave.balance.yt.formula.FormulaToken.Close;
import io.cleave.balance.yt.formula.FormulaToken.Literal;
import io.cleave.balance.yt.formula.FormulaToken.Name;
import io.cleave.balance.yt.formula.FormulaToken.Open;
import io.cleave.balance.yt.formula.FormulaToken.Sign;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Turns ordered tokens into steps. Checks that a list stands only to the right of `in`, and that
/// the variables are `hours` and `minutes`.
final class FormulaCompiler {
    private final String text;
    private final List<FormulaStep> steps = new ArrayList<>();

    /// How many numbers each value has: 1 is a number, more are a list.
    private final Deque<Integer> widths = new ArrayDeque<>();

    private Optional<String> unknown = Optional.empty();

    FormulaCompiler(String text) {
        this.text = text;
    }

    List<FormulaStep> compile() {
        new FormulaParser(text).parse().forEach(this::take);
        if (!widths.isEmpty()) {
            popNumber(0);
        }
        unknown.ifPresent(
                name -> {
                    throw new YtException(
                            YtCodes.GENERIC,
                            "Invalid variable \"%s\" in time formula %s"
                                    .formatted(name, FormulaErrors.quoted(text)));
                });
        return steps;
    }

    private void take(FormulaToken token) {
        switch (token) {
            case Literal(_, long value) -> push(new FormulaStep.Constant(value));
            case Name(_, String name) -> push(variable(name));
            case Sign(int at, FormulaOperator operator) -> operator(at, operator);
            case Open _, Close _ -> throw new IllegalStateException("brackets are resolved");
        }
    }

    private FormulaStep variable(String name) {
        return switch (name) {
            case "hours" -> new FormulaStep.Hours();
            case "minutes" -> new FormulaStep.Minutes();
            default -> {
                unknown = unknown.or(() -> Optional.of(name));
                yield new FormulaStep.Constant(0);
            }
        };
    }

    private void operator(int at, FormulaOperator operator) {
        switch (operator) {
            case NOT -> {
                popNumber(at);
                push(new FormulaStep.Not());
            }
            case COMMA -> {
                popNumber(at);
                widths.addLast(widths.removeLast() + 1);
            }
            case IN -> {
                int items = widths.removeLast();
                popNumber(at);
                push(new FormulaStep.Among(items));
            }
            default -> {
                popNumber(at);
                popNumber(at);
                push(new FormulaStep.Apply(operator));
            }
        }
    }

    private void push(FormulaStep step) {
        steps.add(step);
        widths.addLast(1);
    }

    private void popNumber(int at) {
        if (widths.removeLast() > 1) {
            throw FormulaErrors.at(text, at, "Type mismatch: expected \"number\", got \"set\"");
        }
    }
}
