package io.cleave.yql;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;

/// What the generated parser extends: it counts how deep its rules are nested, because each is a
/// frame on the stack and the text decides how many there are.
abstract class BoundedParser extends Parser {
    /// A parenthesis in an expression takes 14 rules, a subquery some more.
    static final int MAX_RULES = 100 * 14;

    private int rules;

    BoundedParser(TokenStream input) {
        super(input);
    }

    @Override
    public void enterRule(ParserRuleContext localctx, int state, int ruleIndex) {
        if (++rules > MAX_RULES) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "The text is nested too deeply: give a part of it a name, $part = …",
                    Places.at(getCurrentToken()));
        }
        super.enterRule(localctx, state, ruleIndex);
    }

    @Override
    public void exitRule() {
        rules--;
        super.exitRule();
    }

    @Override
    public void reset() {
        super.reset();
        rules = 0;
    }
}
