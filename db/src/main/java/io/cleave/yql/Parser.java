package io.cleave.yql;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;

import java.util.List;

/// Parses YQL text into statements. Every syntax error is a [StatusException] with its position.
///
/// Threads: any; it keeps no state.
public final class Parser {
    public static final int MAX_TEXT_LENGTH = 128 * 1024;

    /// A tree of more tokens is made as small as possible. That takes time, and is worth it only
    /// for large trees.
    private static final int MANY_TOKENS = 1000;

    private Parser() {}

    public static List<Statement> parse(String text) {
        return read(text).statements();
    }

    /// The statements, the warnings, and the parse tree of each statement.
    public record Parsed(
            List<Statement> statements, List<Issue> warnings, List<ParserRuleContext> places) {
        public Parsed {
            statements = List.copyOf(statements);
            warnings = List.copyOf(warnings);
            places = List.copyOf(places);
        }
    }

    public static Parsed read(String text) {
        if (text.length() > MAX_TEXT_LENGTH) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Query text size exceeds limit (%d > %d)"
                            .formatted(text.length(), MAX_TEXT_LENGTH));
        }
        boolean ansi = isAnsi(text);
        List<Token> tokens = ansi ? AnsiTokens.of(text) : Tokens.of(text);
        Keywords.becomeNames(tokens);
        Yql.ScriptContext script = script(tokens);
        var builder = new StatementBuilder(new SourceText(text, tokens, ansi));
        return new Parsed(
                builder.statements(script),
                UnusedNames.of(script),
                List.<ParserRuleContext>copyOf(script.statement()));
    }

    private static Yql.ScriptContext script(List<Token> tokens) {
        var parser = new Yql(new CommonTokenStream(new ListTokenSource(tokens)));
        parser.removeErrorListeners();
        // SLL prediction is fast, but may fail on a valid text, because it ignores which rule
        // called. When it succeeds, its tree is the same.
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        // Nodes reserve place for ten children, and most have one.
        parser.setTrimParseTree(tokens.size() > MANY_TOKENS);
        parser.setErrorHandler(SyntaxErrors.silent());
        try {
            return parser.script();
        } catch (ParseCancellationException e) {
            parser.getInterpreter().setPredictionMode(PredictionMode.LL);
            parser.setErrorHandler(SyntaxErrors.explained());
            parser.reset();
            return parser.script();
        }
    }

    /// Comments of the form `--!setting` at the beginning of the text choose a dialect. Returns
    /// whether it is the ANSI dialect.
    private static boolean isAnsi(String text) {
        boolean ansi = false;
        int row = 1;
        int from = 0;
        while (text.startsWith("--!", from)) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end;
            String setting = text.substring(from + "--!".length(), to).strip();
            var at = new Position(row, 1);
            switch (setting) {
                case "syntax_v1" -> {}
                case "syntax_v0" -> throw Places.error(at, "V0 syntax is disabled");
                case "syntax_pg" -> throw Places.error(at, "PG syntax is disabled");
                case "ansi_lexer" -> ansi = true;
                default -> throw Places.error(at, "Unknown SQL translation setting: " + setting);
            }
            row++;
            from = to + 1;
        }
        return ansi;
    }
}
