package io.cleave.yql;

import io.cleave.base.StatusException;

import org.antlr.v4.runtime.ANTLRErrorStrategy;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.misc.ParseCancellationException;

import java.util.ArrayList;
import java.util.List;

/// Ends parsing at the first error. The message says what was found and, if the list is short, what
/// was expected.
final class SyntaxErrors implements ANTLRErrorStrategy {
    private static final int MAX_EXPECTED = 6;

    /// Clauses of YQL that the grammar does not have.
    private static final IntervalSet UNSUPPORTED =
            new IntervalSet(YqlLexer.MATCH_RECOGNIZE, YqlLexer.INHERITS, YqlLexer.CHANGEFEED);

    private final boolean explain;

    private SyntaxErrors(boolean explain) {
        this.explain = explain;
    }

    /// Without messages; for the first, fast attempt, which may fail on a valid text.
    static SyntaxErrors silent() {
        return new SyntaxErrors(false);
    }

    static SyntaxErrors explained() {
        return new SyntaxErrors(true);
    }

    @Override
    public void reset(Parser recognizer) {}

    @Override
    public Token recoverInline(Parser recognizer) {
        throw failure(recognizer, recognizer.getCurrentToken());
    }

    @Override
    public void recover(Parser recognizer, RecognitionException e) {
        throw failure(recognizer, e.getOffendingToken());
    }

    @Override
    public void sync(Parser recognizer) {}

    @Override
    public boolean inErrorRecoveryMode(Parser recognizer) {
        return false;
    }

    @Override
    public void reportMatch(Parser recognizer) {}

    @Override
    public void reportError(Parser recognizer, RecognitionException e) {
        throw failure(recognizer, e.getOffendingToken());
    }

    private RuntimeException failure(Parser recognizer, Token token) {
        return explain ? explained(recognizer, token) : new ParseCancellationException();
    }

    static StatusException explained(Parser recognizer, Token token) {
        if (UNSUPPORTED.contains(token.getType())) {
            return Places.unsupported(Places.at(token), token.getText());
        }
        String read =
                token.getType() == Token.EOF
                        ? "unexpected end of text"
                        : "mismatched input '" + shortened(token.getText()) + "'";
        // If the prediction read ahead, the expected tokens belong to an earlier position.
        String expected =
                token.getTokenIndex() == recognizer.getCurrentToken().getTokenIndex()
                        ? expected(recognizer, recognizer.getExpectedTokens())
                        : "";
        return Places.error(Places.at(token), read + expected);
    }

    private static String expected(Parser recognizer, IntervalSet tokens) {
        ATN atn = recognizer.getATN();
        // Words that may be names are not listed one by one.
        int anyName = tokens.contains(Yql.RETURN) ? Yql.RULE_anyName : Yql.RULE_identifier;
        IntervalSet names = atn.nextTokens(atn.ruleToStartState[anyName]);
        IntervalSet expressions = atn.nextTokens(atn.ruleToStartState[Yql.RULE_expression]);
        List<String> words = new ArrayList<>();
        IntervalSet rest = tokens;
        if (tokens.contains(Yql.STRUCT_OPEN)) {
            words.add("an expression");
            rest = rest.subtract(expressions);
        } else if (tokens.contains(Yql.NAME)) {
            words.add("a name");
            // Without quoted names, only words of a clause may follow; these are listed.
            rest =
                    tokens.contains(Yql.QUOTED_NAME)
                            ? rest.subtract(names)
                            : rest.subtract(IntervalSet.of(Yql.NAME));
        }
        for (int type : rest.toArray()) {
            String word = described(type);
            if (!words.contains(word)) {
                words.add(word);
            }
        }
        return words.isEmpty() || words.size() > MAX_EXPECTED
                ? ""
                : ", expecting " + String.join(", ", words);
    }

    private static String described(int type) {
        return switch (type) {
            case Token.EOF -> "end of text";
            case Yql.NAMED_VALUE -> "$name";
            case Yql.STRING -> "a string";
            case Yql.INTEGER, Yql.REAL -> "a number";
            default -> Yql.VOCABULARY.getDisplayName(type);
        };
    }

    private static String shortened(String text) {
        int most = 60;
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most)) + "…";
    }
}
