package io.cleave.ytql;

import java.util.Locale;
import java.util.Set;

/// The reserved words of the language, in lower case. Keywords of two words have one space.
final class YtKeywords {
    private static final Set<String> WORDS =
            Set.of(
                    "select",
                    "from",
                    "where",
                    "having",
                    "offset",
                    "limit",
                    "join",
                    "array",
                    "using",
                    "asc",
                    "desc",
                    "left",
                    "as",
                    "on",
                    "and",
                    "or",
                    "is",
                    "not",
                    "null",
                    "between",
                    "in",
                    "transform",
                    "like",
                    "ilike",
                    "rlike",
                    "regexp",
                    "escape",
                    "false",
                    "true",
                    "case",
                    "when",
                    "then",
                    "else",
                    "end",
                    "inf",
                    "cast");

    /// Pairs of words that are a keyword only together.
    private static final Set<String> PAIRS =
            Set.of("group by", "order by", "with totals", "with index", "with hint");

    private YtKeywords() {}

    static boolean isWord(String word) {
        return WORDS.contains(word.toLowerCase(Locale.ROOT));
    }

    static boolean isPair(String first, String second) {
        return PAIRS.contains((first + " " + second).toLowerCase(Locale.ROOT));
    }

    static String shown(String keyword) {
        return "keyword `" + keyword.toUpperCase(Locale.ROOT) + "`";
    }
}
