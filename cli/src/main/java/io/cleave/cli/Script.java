package io.cleave.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Divides a YQL text into queries that a server accepts. A server does not accept statements that
/// change the scheme together with statements that use tables.
///
/// A query is the whole text with everything that does not belong to it replaced by blanks, so that
/// the line and column of an error refer to the original text. The header and every earlier PRAGMA
/// belong to each query. A DECLARE or named expression belongs to the queries that use it, or to
/// all later ones if none uses it. COMMIT ends a query and belongs to none.
final class Script {
    private static final Set<String> SCHEME_WORDS =
            Set.of("CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "TRUNCATE");
    private static final Set<String> PREAMBLE_WORDS = Set.of("PRAGMA", "DECLARE", "IMPORT");

    private static final Pattern NAME = Pattern.compile("\\$(\\w+|`[^`]*`)");

    private Script() {}

    enum Kind {
        SCHEME,
        /// A single statement that runs as many transactions.
        BATCH,
        DATA
    }

    record Query(Kind kind, String text) {}

    /// The queries of a text; none if it has no statements. A text with only PRAGMA, DECLARE and
    /// the like is one query.
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

    /// Whether a semicolon closes the last statement, so that a shell may send the text.
    static boolean isComplete(String text) {
        List<Statement> statements = statements(text);
        return !statements.isEmpty() && statements.getLast().closed();
    }

    private static Query query(String text, Kind kind, List<Statement> all) {
        List<Statement> statements = withoutUnused(text, all);
        int headerTo = Lexeme.headerTo(text);
        var kept = new StringBuilder(text.length());
        for (int offset = 0; offset < text.length(); offset++) {
            char c = text.charAt(offset);
            boolean keeps = c == '\n' || offset < headerTo || within(statements, offset);
            kept.append(keeps ? c : ' ');
        }
        return new Query(kind, kept.toString().stripTrailing());
    }

    /// Removes names that only other queries use. A name that the whole text does not use stays, so
    /// that the server warns about it. If there are only such statements, all of them stay.
    private static List<Statement> withoutUnused(String text, List<Statement> statements) {
        if (statements.stream().allMatch(s -> s.role() == Role.PREAMBLE)) {
            return statements;
        }
        List<String> everywhere = names(text);
        Set<String> used = new HashSet<>();
        List<Statement> kept = new ArrayList<>();
        for (Statement statement : statements.reversed()) {
            List<String> names = names(text.substring(statement.from(), statement.to()));
            boolean forOthers =
                    statement.gives()
                            && !used.contains(names.getFirst())
                            && Collections.frequency(everywhere, names.getFirst()) > 1;
            if (!forOthers) {
                used.addAll(names);
                kept.add(statement);
            }
        }
        return kept.reversed();
    }

    private static List<String> names(String text) {
        return NAME.matcher(text).results().map(MatchResult::group).toList();
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
        /// Whether the statement defines a name, which is then the first name in it.
        boolean gives() {
            return word.equals("DECLARE") || word.startsWith("$");
        }

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
