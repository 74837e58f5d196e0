package io.cleave.query.view;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.control.TabletBalancer;
import io.cleave.index.IndexFollowers;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tree.Scheme;
import io.cleave.ttl.TtlRuns;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The tables that are not stored: their rows are made when they are read. They have negative ids,
/// which distinguish reads of them from reads of stored tables.
public final class SystemViews {
    /// The directory of the views in the database.
    public static final String DIRECTORY = ".sys";

    private final String directory;

    /// The directory with a slash at its end, so that a lookup allocates nothing.
    private final String directoryPrefix;

    /// Sorted by name.
    private final List<SystemView> views;

    /// `followers` are the followers of ASYNC indexes; `ofQueries` are the views about queries.
    public SystemViews(
            Scheme scheme,
            int nodeId,
            Supplier<List<IndexFollowers.Info>> followers,
            Optional<TtlRuns> ttlRuns,
            Optional<TabletBalancer> balancer,
            List<SystemView> ofQueries) {
        this.directory = scheme.database() + "/" + DIRECTORY;
        this.directoryPrefix = directory + "/";
        List<SystemView> all = new ArrayList<>();
        all.add(AsyncIndexView.of(directory, followers));
        all.addAll(AuthView.all(scheme));
        all.add(CellsView.of(directory, scheme, nodeId));
        all.add(new PartitionDecisions(directory, balancer));
        all.add(new PartitionStats(scheme, nodeId, ttlRuns));
        all.add(ReplicaView.of(directory, scheme));
        all.add(new StorageStats(scheme));
        all.addAll(TopPartitions.all(directory, nodeId, balancer));
        all.add(TtlView.of(directory, ttlRuns));
        all.addAll(ofQueries);
        all.sort(Comparator.comparing(view -> view.table().path()));
        this.views = List.copyOf(all);
        Check.that(
                all.stream().map(view -> view.table().id()).distinct().count() == all.size(),
                "two system views with one id");
    }

    public static boolean holds(Table table) {
        return holds(table.id());
    }

    public static boolean holds(long tableId) {
        return tableId < 0;
    }

    public String directory() {
        return directory;
    }

    public boolean isBelow(String path) {
        return path.equals(directory) || path.startsWith(directoryPrefix);
    }

    /// Sorted by name.
    public List<Table> tables() {
        return views.stream().map(SystemView::table).toList();
    }

    public Optional<Table> find(String path) {
        return tables().stream().filter(table -> table.path().equals(path)).findFirst();
    }

    public Value @Nullable [] get(Bytes key, ReadColumns columns) {
        Iterator<Value[]> found =
                view(columns.table()).rows(KeyRange.point(key), Direction.FORWARD);
        return found.hasNext() ? pick(found.next(), columns) : null;
    }

    public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
        return new Rows(view(columns.table()).rows(range, direction), columns);
    }

    public static StatusException readOnly(String path) {
        return new StatusException(
                Status.BAD_REQUEST,
                Issue.error(Issue.BAD_REQUEST, "System view is read-only: " + path));
    }

    private SystemView view(Table table) {
        return views.stream()
                .filter(view -> view.table().id() == table.id())
                .findFirst()
                .orElseThrow();
    }

    private static Value[] pick(Value[] row, ReadColumns columns) {
        Value[] picked = new Value[columns.count()];
        for (int place = 0; place < picked.length; place++) {
            picked[place] = row[columns.index(place)];
        }
        return picked;
    }

    private static final class Rows implements RowStream {
        private final Iterator<Value[]> rest;
        private final ReadColumns columns;
        private Value[] current = new Value[0];

        Rows(Iterator<Value[]> rest, ReadColumns columns) {
            this.rest = rest;
            this.columns = columns;
        }

        @Override
        public boolean next() {
            if (!rest.hasNext()) {
                return false;
            }
            current = pick(rest.next(), columns);
            return true;
        }

        @Override
        public Value[] row() {
            return current;
        }

        @Override
        public void close() {}
    }
}
