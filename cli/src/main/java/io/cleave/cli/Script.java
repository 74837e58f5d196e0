package io.cleave.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A YQL text, cut into the queries a server takes one at a time: it does not take statements that
/// change tables together with statements that use them.
///
/// A query is the whole text with everything blank that is not part of it, so that the line and
/// column of an error are those of the text. PRAGMA is part of every query after it; so are DECLARE
/// and named expressions where a query uses them, or none does, and so is the header. COMMIT ends a
/// query and is part of none.
final class Script {
    private static final Set<String> SCHEME_WORDS =
            Set.of("CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "TRUNCATE");
    private static final Set<String> PREAMBLE_WORDS = Set.of("PRAGMA", "DECLARE", "IMPORT");

    private static final Pattern NAME = Pattern.compile("\\$(\\w+|`[^`]*`)");

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

    /// Without names that are for other queries. What nothing in the text uses stays, to be warned
    /// of; so does every one of a text that is nothing but names.
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
        /// Whether it is there to give a name, which then is the first in it.
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
