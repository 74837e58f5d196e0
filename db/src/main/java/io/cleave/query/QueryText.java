package io.cleave.query;

import io.cleave.analysis.Dialect;
import io.cleave.value.Type;

import java.util.Map;

/// All that a text's meaning depends on, besides the tables: two equal ones compile to the same
/// program. `temporaries` are the temporary tables of the session that it runs in, by their paths
/// where they stand.
public record QueryText(
        String text,
        Map<String, Type> sentTypes,
        Dialect dialect,
        Map<String, String> temporaries) {
    public QueryText {
        sentTypes = Map.copyOf(sentTypes);
        temporaries = Map.copyOf(temporaries);
    }

    public QueryText(String text, Map<String, Type> sentTypes, Dialect dialect) {
        this(text, sentTypes, dialect, Map.of());
    }

    /// The same text with the names that it has in this session.
    public QueryText in(Session session) {
        Map<String, String> own = session.temporaries().places();
        return own.equals(temporaries) ? this : new QueryText(text, sentTypes, dialect, own);
    }

    QueryText withText(String other) {
        return new QueryText(other, sentTypes, dialect, temporaries);
    }

    public static QueryText ofQueryService(String text, Map<String, Type> sentTypes) {
        return new QueryText(text, sentTypes, Dialect.QUERY_SERVICE);
    }

    public static QueryText ofTableService(String text, Map<String, Type> sentTypes) {
        return new QueryText(text, sentTypes, Dialect.TABLE_SERVICE);
    }
}
