package io.cleave.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A YQL text, cut into the queries a server takes one at a time: it does not take statements that
/// change tables together with statements that use them.
///
/// A query is the whole text with everything blank that is not part of it, so that the line and
/// column of an error are those of the text. PRAGMA, DECLARE and named expressions are part of
/// every query after them, and so is the header. COMMIT ends a query and is part of none.
final class Script {
    private static final Set<String> SCHEME_WORDS =
            Set.of("CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "TRUNCATE");
    private static final Set<String> PREAMBLE_WORDS = Set.of("PRAGMA", "DECLARE", "IMPORT");

    private Script() {}

    enum Kind {
        SCHEME,
        /// One statement that is many transactions.
        BATCH,
        DATA
    }

    record Query(Kind kind, String text) {}

    /// Without statements there are no queries; a text of PRAGMA and DECLARE only is one.
    static List<Query> queries(String text) {
        List<Query> queries = new ArrayList<>();
        List<Statement> preamble = new ArrayList<>();
        List<Statement> waiting = new ArrayList<>();
        Kind waitingKind = Kind.DATA;
        for (Statement statement : statements(text)) {
            Role role = statement.role();
            if (role == Role.PREAMBLE) {
                preamble.add(statement);
                continue;
            }
            Kind kind = role.kind();
            boolean apart = role == Role.COMMIT || kind != waitingKind || kind == Kind.BATCH;
            if (!waiting.isEmpty() && apart) {
                queries.add(query(text, waitingKind, waiting));
                waiting.clear();
            }
            if (role == Role.COMMIT) {
                continue;
            }
            waitingKind = kind;
            waiting.addAll(preamble.stream().filter(p -> !waiting.contains(p)).toList());
            waiting.add(statement);
        }
        if (queries.isEmpty() && waiting.isEmpty()) {
            waiting.addAll(preamble);
        }
        if (!waiting.isEmpty()) {
            queries.add(query(text, waitingKind, waiting));
        }
        return queries;
    }

    /// Is every statement of the text closed by a semicolon? Then a shell may send it.
    static boolean isComplete(String text) {
        List<Statement> statements = statements(text);
        return !statements.isEmpty() && statements.getLast().closed();
    }

    private static Query query(String text, Kind kind, List<Statement> statements) {
        int headerTo = Lexeme.headerTo(text);
        var kept = new StringBuilder(text.length());
        for (int offset = 0; offset < text.length(); offset++) {
            char c = text.charAt(offset);
            boolean keeps = c == '\n' || offset < headerTo || within(statements, offset);
            kept.append(keeps ? c : ' ');
        }
        return new Query(kind, kept.toString().stripTrailing());
    }

    private static boolean within(List<Statement> statements, int offset) {
        return statements.stream().anyMatch(s -> s.from() <= offset && offset < s.to());
    }

    private static List<Statement> statements(String text) {
        List<Statement> statements = new ArrayList<>();
        boolean ansi = Lexeme.isAnsi(text);
        int from = -1;
        int offset = 0;
        while (offset < text.length()) {
            Lexeme lexeme = Lexeme.at(text, offset, ansi);
            if (lexeme.kind() == Lexeme.Kind.SEMICOLON) {
                if (from >= 0) {
                    statements.add(new Statement(from, lexeme.to(), true, word(text, from)));
                }
                from = -1;
            } else if (lexeme.kind() != Lexeme.Kind.BLANK && from < 0) {
                from = offset;
            }
            offset = lexeme.to();
        }
        if (from >= 0) {
            statements.add(new Statement(from, text.length(), false, word(text, from)));
        }
        return statements;
    }

    private static String word(String text, int from) {
        return text.substring(from, Lexeme.at(text, from, false).to()).toUpperCase(Locale.ROOT);
    }

    private enum Role {
        SCHEME,
        BATCH,
        COMMIT,
        DATA,
        PREAMBLE;

        Kind kind() {
            return switch (this) {
                case SCHEME -> Kind.SCHEME;
                case BATCH -> Kind.BATCH;
                case COMMIT, DATA, PREAMBLE -> Kind.DATA;
            };
        }
    }

    private record Statement(int from, int to, boolean closed, String word) {
        Role role() {
            if (SCHEME_WORDS.contains(word)) {
                return Role.SCHEME;
            }
            return switch (word) {
                case "BATCH" -> Role.BATCH;
                case "COMMIT" -> Role.COMMIT;
                default ->
                        PREAMBLE_WORDS.contains(word) || word.startsWith("$")
                                ? Role.PREAMBLE
                                : Role.DATA;
            };
        }
    }
}
