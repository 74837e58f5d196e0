package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/// Positions in the text, and errors that carry one.
final class Places {
    private Places() {}

    static Position at(Token token) {
        return new Position(token.getLine(), token.getCharPositionInLine() + 1);
    }

    static Position at(ParserRuleContext context) {
        return at(context.start);
    }

    static StatusException error(Position at, String message) {
        return new StatusException(Status.GENERIC_ERROR, message, at);
    }

    /// The error for what YQL has and Cleave does not support.
    static StatusException unsupported(Position at, String what) {
        return new StatusException(Status.UNSUPPORTED, what + " is not supported", at);
    }
}
