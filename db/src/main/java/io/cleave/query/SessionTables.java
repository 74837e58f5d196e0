package io.cleave.query;

import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.schema.View;
import io.cleave.tree.Scheme;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The tables as the texts of one session name them. Its temporary tables hide other tables with
/// the same paths. Temporary tables of other sessions are not visible.
final class SessionTables implements Tables {
    private final Scheme scheme;
    private final Map<String, String> temporaries;

    SessionTables(Scheme scheme, Map<String, String> temporaries) {
        this.scheme = scheme;
        this.temporaries = temporaries;
    }

    @Override
    public Optional<Table> find(String path) {
        String place = TemporaryTables.resolved(temporaries, path);
        return scheme.isHidden(place) && !isOwn(place) ? Optional.empty() : scheme.find(place);
    }

    private boolean isOwn(String place) {
        return temporaries.values().stream()
                .anyMatch(own -> place.equals(own) || place.startsWith(own + "/"));
    }

    @Override
    public Optional<View> view(String path) {
        return temporaries.containsKey(path) ? Optional.empty() : scheme.view(path);
    }

    @Override
    public OptionalLong estimatedRows(Table table, KeyRange range) {
        return scheme.estimatedRows(table, range);
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        return scheme.tabletCount(table, range);
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        return scheme.cells(table, range);
    }
}
