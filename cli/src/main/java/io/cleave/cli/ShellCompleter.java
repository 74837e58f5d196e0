package io.cleave.cli;

import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// Completes YQL keywords, in the case that the user types, and table names, which are requested
/// from the server each time.
final class ShellCompleter implements Completer {
    private static final List<String> WORDS =
            List.of(
                    "ADD",
                    "ALTER",
                    "AND",
                    "AS",
                    "AS_TABLE",
                    "ASC",
                    "AVG",
                    "BETWEEN",
                    "BY",
                    "CASE",
                    "CAST",
                    "COALESCE",
                    "COLUMN",
                    "COUNT",
                    "CREATE",
                    "DECLARE",
                    "DELETE",
                    "DESC",
                    "DISTINCT",
                    "DROP",
                    "ELSE",
                    "END",
                    "EXISTS",
                    "EXPLAIN",
                    "FALSE",
                    "FROM",
                    "GROUP",
                    "HAVING",
                    "IF",
                    "IN",
                    "INNER",
                    "INSERT",
                    "INTO",
                    "IS",
                    "JOIN",
                    "KEY",
                    "LEFT",
                    "LIKE",
                    "LIMIT",
                    "MAX",
                    "MIN",
                    "NOT",
                    "NULL",
                    "OFFSET",
                    "ON",
                    "OR",
                    "ORDER",
                    "PRAGMA",
                    "PRIMARY",
                    "REPLACE",
                    "RETURNING",
                    "SELECT",
                    "SET",
                    "SUM",
                    "TABLE",
                    "TablePathPrefix",
                    "THEN",
                    "TRUE",
                    "UNION",
                    "UPDATE",
                    "UPSERT",
                    "USING",
                    "VALUES",
                    "WHEN",
                    "WHERE",
                    "WITH",
                    "Bool",
                    "Bytes",
                    "Date",
                    "Datetime",
                    "Decimal",
                    "Double",
                    "Float",
                    "Int8",
                    "Int16",
                    "Int32",
                    "Int64",
                    "Interval",
                    "Json",
                    "JsonDocument",
                    "String",
                    "Text",
                    "Timestamp",
                    "Uint8",
                    "Uint16",
                    "Uint32",
                    "Uint64",
                    "Utf8",
                    "Uuid",
                    "help",
                    "quit",
                    "tables");

    private final Supplier<List<String>> tables;

    ShellCompleter(Supplier<List<String>> tables) {
        this.tables = tables;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String typed = line.word().substring(0, line.wordCursor());
        for (String table : tables.get()) {
            candidates.add(new Candidate(table, table, "tables", null, null, null, true));
        }
        boolean lowerCase = !typed.isEmpty() && typed.equals(typed.toLowerCase(Locale.ROOT));
        for (String word : WORDS) {
            boolean keyword = word.equals(word.toUpperCase(Locale.ROOT));
            String shown = lowerCase && keyword ? word.toLowerCase(Locale.ROOT) : word;
            candidates.add(new Candidate(shown, shown, "words", null, null, null, true));
        }
    }
}
