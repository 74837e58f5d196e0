package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Value;
import io.cleave.yql.Statement.AlterSequence;

import java.util.Locale;
import java.util.OptionalLong;

/// Builds ALTER SEQUENCE.
final class SequenceBuilder {
    private SequenceBuilder() {}

    static AlterSequence alterSequence(Position at, Yql.AlterSequenceStatementContext context) {
        OptionalLong start = OptionalLong.empty();
        OptionalLong increment = OptionalLong.empty();
        OptionalLong restart = OptionalLong.empty();
        boolean restarts = false;
        for (Yql.SequenceOptionContext option : context.sequenceOption()) {
            String word = option.NAME().getText().toUpperCase(Locale.ROOT);
            boolean fits = option.BY() == null || word.equals("INCREMENT");
            fits &= option.WITH() == null || !word.equals("INCREMENT");
            OptionalLong number = number(option);
            switch (word) {
                case "START" -> start = number;
                case "INCREMENT" -> increment = number;
                case "RESTART" -> {
                    restarts = true;
                    restart = number;
                    fits &= number.isPresent() || option.WITH() == null;
                }
                default -> fits = false;
            }
            if (!fits || (number.isEmpty() && !word.equals("RESTART"))) {
                throw Places.error(
                        Places.at(option),
                        "mismatched input '%s', expecting START [WITH] n, INCREMENT [BY] n or RESTART [[WITH] n]"
                                .formatted(option.NAME().getText()));
            }
        }
        return new AlterSequence(
                at,
                Names.table(context.tableName()),
                context.EXISTS() != null,
                start,
                increment,
                restarts,
                restart);
    }

    private static OptionalLong number(Yql.SequenceOptionContext option) {
        if (option.INTEGER() == null) {
            return OptionalLong.empty();
        }
        Position at = Places.at(option.INTEGER().getSymbol());
        Expression.Literal literal = Literals.integer(at, option.INTEGER().getText());
        if (!(literal.value() instanceof Value.Int(long number)) || number < 0) {
            throw Places.error(at, "The number is too large for a sequence");
        }
        return OptionalLong.of(number);
    }
}
