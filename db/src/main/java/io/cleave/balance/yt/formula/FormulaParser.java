package io.cleave.balance.yt.formula;

import io.cleave.balance.yt.formula.FormulaToken.Close;
import io.cleave.balance.yt.formula.FormulaToken.Literal;
import io.cleave.balance.yt.formula.FormulaToken.Name;
import io.cleave.balance.yt.formula.FormulaToken.Open;
import io.cleave.balance.yt.formula.FormulaToken.Sign;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Puts the tokens of a formula into the order in which they are computed: an operator comes after
/// its operands. There are no brackets in the result.
final class FormulaParser {
    private final String text;
    private final List<FormulaToken> ordered = new ArrayList<>();

    /// Operators whose last operand is not complete, and open brackets.
    private final Deque<FormulaToken> open = new ArrayDeque<>();

    private boolean needsOperand = true;

    FormulaParser(String text) {
        this.text = text;
    }

    List<FormulaToken> parse() {
        List<FormulaToken> tokens = new FormulaLexer(text).tokens();
        tokens.forEach(this::take);
        if (tokens.isEmpty()) {
            return ordered;
        }
        if (needsOperand) {
            throw FormulaErrors.at(text, text.length(), "Unfinished formula");
        }
        closeOperators(0);
        if (!open.isEmpty()) {
            throw FormulaErrors.at(text, open.getLast().at(), "Unmatched '('");
        }
        return ordered;
    }

    private void take(FormulaToken token) {
        switch (token) {
            case Literal _, Name _ -> {
                if (!needsOperand) {
                    throw FormulaErrors.at(text, token.at(), "Unexpected variable");
                }
                ordered.add(token);
                needsOperand = false;
            }
            case Open _ -> {
                expect(true, token);
                open.addLast(token);
            }
            case Close _ -> {
                expect(false, token);
                closeOperators(0);
                if (open.pollLast() == null) {
                    throw FormulaErrors.at(text, token.at(), "Unmatched ')'");
                }
            }
            case Sign(_, FormulaOperator operator) -> {
                boolean isPrefix = operator == FormulaOperator.NOT;
                expect(isPrefix, token);
                if (!isPrefix) {
                    closeOperators(operator.precedence);
                    needsOperand = true;
                }
                open.addLast(token);
            }
        }
    }

    private void expect(boolean beforeOperand, FormulaToken token) {
        if (needsOperand != beforeOperand) {
            throw FormulaErrors.at(text, token.at(), "Unexpected token");
        }
    }

    /// Completes the operators after the last open bracket that bind at least as tightly.
    private void closeOperators(int precedence) {
        while (open.peekLast() instanceof Sign sign && sign.operator().precedence >= precedence) {
            ordered.add(open.removeLast());
        }
    }
}
