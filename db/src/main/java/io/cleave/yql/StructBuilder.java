package io.cleave.yql;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;
import io.cleave.yql.Expression.Call;
import io.cleave.yql.Expression.StructMember;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds `<|name: value, …|>`. A name may be an expression that is known before the query runs.
final class StructBuilder {
    private final ExpressionBuilder expressions;

    StructBuilder(ExpressionBuilder expressions) {
        this.expressions = expressions;
    }

    Expression struct(Position at, Yql.StructPrimaryContext context) {
        List<StructMember> members = new ArrayList<>();
        List<Yql.StructMemberContext> others = new ArrayList<>();
        for (Yql.StructMemberContext member : context.structMember()) {
            Optional<String> name = name(member);
            if (name.isEmpty()) {
                others.add(member);
                continue;
            }
            members.add(new StructMember(name.get(), expressions.expression(value(member))));
        }
        expressions.enter(others.size(), context);
        Expression result = new Expression.StructOf(at, members);
        for (Yql.StructMemberContext member : others) {
            Expression name = expressions.expression(member.key);
            Expression value = expressions.expression(value(member));
            result = Call.of(Places.at(member), "AddMember", List.of(result, name, value));
        }
        expressions.leave(others.size());
        return result;
    }

    private static Yql.ExpressionContext value(Yql.StructMemberContext member) {
        return member.key == null ? member.expression(0) : member.value;
    }

    private Optional<String> name(Yql.StructMemberContext member) {
        if (member.key != null) {
            return joined(expressions.expression(member.key));
        }
        return Optional.of(
                member.identifier() != null
                        ? Names.of(member.identifier())
                        : Literals.name(Places.at(member), member.start.getText()));
    }

    /// The text of string literals joined by `||`; empty for any other expression.
    private static Optional<String> joined(Expression name) {
        return switch (name) {
            case Expression.Literal(_, _, Value.Text(String text)) -> Optional.of(text);
            case Expression.Literal(_, _, Value.Binary(Bytes bytes)) -> Optional.of(bytes.utf8());
            case Expression.Binary(_, BinaryOperator operator, var left, var right)
                    when operator == BinaryOperator.CONCAT ->
                    joined(left).flatMap(head -> joined(right).map(tail -> head + tail));
            default -> Optional.empty();
        };
    }
}
