package io.cleave.yql;

import io.cleave.base.Issue.Position;

import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;

import java.util.List;
import java.util.Locale;

/// Recognizes statements of YQL that Cleave does not support, by their first words. They are
/// skipped to the end of the text, because some contain statements.
final class OtherStatements {
    private static final List<String> OBJECTS =
            List.of(
                    "VIEW",
                    "TOPIC",
                    "EXTERNAL DATA SOURCE",
                    "EXTERNAL TABLE",
                    "TABLESTORE",
                    "OBJECT",
                    "ASYNC REPLICATION",
                    "TRANSFER",
                    "RESOURCE POOL CLASSIFIER",
                    "RESOURCE POOL",
                    "BACKUP COLLECTION",
                    "STREAMING QUERY",
                    "SECRET",
                    "SEQUENCE",
                    "DATABASE",
                    "SYMLINK",
                    "TEMP TABLE",
                    "TEMPORARY TABLE",
                    "OR REPLACE");

    private static final List<String> STATEMENTS =
            List.of(
                    "ANALYZE",
                    "KILL SESSION",
                    "BACKUP",
                    "RESTORE",
                    "EVALUATE IF",
                    "EVALUATE FOR",
                    "USE",
                    "IMPORT",
                    "EXPORT",
                    "PROCESS",
                    "REDUCE",
                    "COMBINE",
                    "MATERIALIZE",
                    "ROLLBACK");

    private static final int MAX_WORDS = 4;

    private OtherStatements() {}

    static Statement refused(Position at, Yql.OtherStatementContext context) {
        var head = new StringBuilder();
        for (int index = 0; index < Math.min(MAX_WORDS, context.getChildCount()); index++) {
            head.append(context.getChild(index).getText().toUpperCase(Locale.ROOT)).append(' ');
        }
        String words = head.toString();
        int first = words.indexOf(' ') + 1;
        boolean ofObject = context.start.getType() != Yql.NAME;
        for (String object : ofObject ? OBJECTS : List.<String>of()) {
            if (words.startsWith(object + " ", first)) {
                return new Statement.Unsupported(at, words.substring(0, first) + object);
            }
        }
        for (String statement : STATEMENTS) {
            if (words.startsWith(statement + " ")) {
                return new Statement.Unsupported(at, statement);
            }
        }
        Token wrong = ((TerminalNode) context.getChild(ofObject ? 1 : 0)).getSymbol();
        throw Places.error(
                Places.at(wrong),
                "mismatched input '%s', expecting %s"
                        .formatted(wrong.getText(), ofObject ? "'TABLE'" : "a statement"));
    }
}
