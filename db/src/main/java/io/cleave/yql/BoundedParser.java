package io.cleave.yql;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;

/// The base class of the generated parser. It limits how deep rules are nested: each rule is a
/// frame on the stack, and the text decides how many there are.
abstract class BoundedParser extends Parser {
    static final int MAX_PARENTHESES = 200;

    /// A parenthesis in an expression takes 15 rules, and a subquery some more. The extra 2 allow
    /// for the rules around all of them.
    static final int MAX_RULES = (MAX_PARENTHESES + 2) * 15;

    private int rules;

    BoundedParser(TokenStream input) {
        super(input);
    }

    @Override
    public void enterRule(ParserRuleContext localctx, int state, int ruleIndex) {
        rules += weight(ruleIndex);
        if (rules > MAX_RULES) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "The text is nested too deeply (at most %d parentheses or subqueries): give a part of it a name, $part = …"
                            .formatted(MAX_PARENTHESES),
                    Places.at(getCurrentToken()));
        }
        super.enterRule(localctx, state, ruleIndex);
    }

    @Override
    public void exitRule() {
        rules -= weight(_ctx.getRuleIndex());
        super.exitRule();
    }

    /// A statement within a statement (`EXPLAIN EXPLAIN …`) has the largest stack frame.
    private static int weight(int ruleIndex) {
        return ruleIndex == Yql.RULE_statement ? 15 : 1;
    }

    @Override
    public void reset() {
        super.reset();
        rules = 0;
    }
}
