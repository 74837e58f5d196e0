package io.cleave.query;

import io.cleave.analysis.Dialect;
import io.cleave.value.Type;

import java.util.Map;

/// All that a text's meaning depends on, besides the tables: two equal ones compile to the same
/// program.
public record QueryText(String text, Map<String, Type> sentTypes, Dialect dialect) {
    public QueryText {
        sentTypes = Map.copyOf(sentTypes);
    }

    public static QueryText ofQueryService(String text, Map<String, Type> sentTypes) {
        return new QueryText(text, sentTypes, Dialect.QUERY_SERVICE);
    }

    public static QueryText ofTableService(String text, Map<String, Type> sentTypes) {
        return new QueryText(text, sentTypes, Dialect.TABLE_SERVICE);
    }
}
