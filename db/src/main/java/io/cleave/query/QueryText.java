package io.cleave.query;

import io.cleave.function.call.Dialect;
import io.cleave.value.Type;
import io.cleave.ytql.YtPlaceholder;
import io.cleave.ytql.YtQueryOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A text with everything that its meaning depends on, except the tables. Two equal ones compile to
/// the same program. `temporaries` maps the paths of the session's temporary tables to the paths
/// where they are stored.
///
/// @param yt present if the text is of YTsaurus' language
public record QueryText(
        String text,
        Map<String, Type> sentTypes,
        Dialect dialect,
        Map<String, String> temporaries,
        Optional<YtQueryOptions> yt) {
    public QueryText {
        sentTypes = Map.copyOf(sentTypes);
        temporaries = Map.copyOf(temporaries);
    }

    public QueryText(String text, Map<String, Type> sentTypes, Dialect dialect) {
        this(text, sentTypes, dialect, Map.of(), Optional.empty());
    }

    /// Computed for each request. There are only a few dialects, so their hash would take more time
    /// than it saves. Clients choose all other parts.
    @Override
    public int hashCode() {
        int hash = 31 * text.hashCode() + sentTypes.hashCode();
        return 31 * (31 * hash + temporaries.hashCode()) + yt.hashCode();
    }

    /// This text with the temporary tables of the session.
    public QueryText in(Session session) {
        Map<String, String> own = session.temporaries().places();
        if (own.isEmpty() && temporaries.isEmpty()) {
            return this;
        }
        return own.equals(temporaries) ? this : new QueryText(text, sentTypes, dialect, own, yt);
    }

    /// The length of the text after texts have taken the place of its placeholders. The text of a
    /// placeholder that is not used is counted, too.
    public long expandedChars() {
        long chars = text.length();
        for (Insertion insertion : insertions()) {
            chars += (long) insertion.text().length() * Math.max(1, insertion.count());
        }
        return chars;
    }

    /// A text, and the number of placeholders whose place it takes.
    record Insertion(String text, int count) {}

    List<Insertion> insertions() {
        if (yt.isEmpty() || yt.get().placeholders().isEmpty()) {
            return List.of();
        }
        List<Insertion> found = new ArrayList<>();
        yt.get()
                .placeholders()
                .forEach(
                        (name, placeholder) -> {
                            if (placeholder instanceof YtPlaceholder.Text(String value)) {
                                found.add(new Insertion(value, count("{" + name + "}")));
                            }
                        });
        return found;
    }

    private int count(String placeholder) {
        int count = 0;
        int at = text.indexOf(placeholder);
        while (at >= 0) {
            count++;
            at = text.indexOf(placeholder, at + placeholder.length());
        }
        return count;
    }

    QueryText withText(String other) {
        return new QueryText(other, sentTypes, dialect, temporaries, yt);
    }

    /// A text of YTsaurus' language.
    public static QueryText ofYt(String text, YtQueryOptions options) {
        return new QueryText(text, Map.of(), Dialect.QUERY_SERVICE, Map.of(), Optional.of(options));
    }

    public static QueryText ofQueryService(String text, Map<String, Type> sentTypes) {
        return new QueryText(text, sentTypes, Dialect.QUERY_SERVICE);
    }

    public static QueryText ofTableService(String text, Map<String, Type> sentTypes) {
        return new QueryText(text, sentTypes, Dialect.TABLE_SERVICE);
    }
}
