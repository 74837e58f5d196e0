package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.Cell;
import io.cleave.tablet.ReadReplica;
import io.cleave.tablet.ReplicaMoments;
import io.cleave.tablet.Route;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// The read replicas of this process: which cells have some, and which of them answers. They come
/// and go with the settings of tables and the places of tablets; see `docs/replicas.md`.
///
/// Threads: any. Whoever reads takes no lock here.
public final class Replicas implements AutoCloseable {
    /// No cell is held up for longer.
    private static final Duration MAX_FREEZE = Duration.ofMinutes(10);

    private final Catalog catalog;
    private final Cells cells;
    private final Env env;
    private final ReplicaMoments moments;
    private final AtomicInteger turns = new AtomicInteger();
    private final LongAdder reads = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private volatile String zone = "";
    private final ReentrantLock lock = new ReentrantLock();

    /// By cell id, those of a cell by their numbers; changed under the lock, each list by replacing
    /// it.
    private final Map<Long, List<ReadReplica>> byCell = new ConcurrentHashMap<>();

    /// Those that were told to end and may not have.
    @GuardedBy("lock")
    private final List<ReadReplica> ending = new ArrayList<>();

    @GuardedBy("lock")
    private boolean closed;

    Replicas(Catalog catalog, Cells cells, Env env) {
        this.catalog = catalog;
        this.cells = cells;
        this.env = env;
        moments = new ReplicaMoments(cells.first().timeline(), env);
        catalog.onChange(_ -> adapt());
        adapt();
    }

    /// The availability zone that this process is in.
    public void setZone(String name) {
        zone = name;
    }

    // ---- which there are

    /// How many replicas a cell is to have, and of which tables.
    private static final class Wanted {
        private int count;
        private final Set<Long> tables = new HashSet<>();
        private final Set<Long> others = new HashSet<>();

        private void add(Table table) {
            int asked = count(table);
            count = Math.max(count, asked);
            (asked > 0 ? tables : others).add(table.id());
        }
    }

    /// All zones there are is the one of this process: so many in each are as many as anywhere.
    static int count(Table table) {
        return table.options().readReplicas().map(TableOptions.ReadReplicas::count).orElse(0);
    }

    private void adapt() {
        lock.lock();
        try {
            if (!closed) {
                Map<Long, Wanted> wanted = wanted(catalog.view());
                cells.all().forEach(cell -> adapt(cell, wanted.get(cell.id())));
            }
        } finally {
            lock.unlock();
        }
    }

    private static Map<Long, Wanted> wanted(CatalogView view) {
        Map<Long, Wanted> wanted = new TreeMap<>();
        for (Table table : view.tables()) {
            for (TabletPlace place : view.tablets(table.id())) {
                wanted.computeIfAbsent(place.cellId(), _ -> new Wanted()).add(table);
            }
        }
        return wanted;
    }

    @GuardedBy("lock")
    private void adapt(Cell cell, @Nullable Wanted wanted) {
        List<ReadReplica> had = of(cell.id());
        int count = wanted == null ? 0 : wanted.count;
        if (had.isEmpty() && count == 0) {
            return;
        }
        List<ReadReplica> now = new ArrayList<>(had.subList(0, Math.min(count, had.size())));
        if (wanted != null) {
            var tables = new ReadReplica.Tables(wanted.tables, wanted.others);
            now.forEach(replica -> replica.setTables(tables));
            while (now.size() < count) {
                now.add(ReadReplica.begin(cell, now.size() + 1, wanted.tables, env));
                moments.add(now.getLast());
            }
        }
        byCell.put(cell.id(), List.copyOf(now));
        for (int index = count; index < had.size(); index++) {
            end(had.get(index));
        }
    }

    @GuardedBy("lock")
    private void end(ReadReplica replica) {
        moments.remove(replica);
        replica.stop();
        ending.removeIf(ReadReplica::isOver);
        ending.add(replica);
    }

    private List<ReadReplica> of(long cellId) {
        return byCell.getOrDefault(cellId, List.of());
    }

    /// Ends all of them. Who reads one goes on.
    @Override
    public void close() {
        List<ReadReplica> all;
        lock.lock();
        try {
            closed = true;
            for (List<ReadReplica> replicas : byCell.values()) {
                for (ReadReplica replica : replicas) {
                    end(replica);
                }
            }
            byCell.clear();
            all = List.copyOf(ending);
        } finally {
            lock.unlock();
        }
        all.forEach(ReadReplica::awaitEnd);
        moments.close();
    }

    // ---- who answers

    /// A moment at which replicas can answer for the table, kept until it is released; none if it
    /// is to have no replicas, or none is ready.
    public Optional<ReplicaMoments.Taken> take(Table table) {
        return count(table) == 0 ? Optional.empty() : moments.take();
    }

    /// The moment that stale reads see now; none if no replica is ready.
    public OptionalLong newestMoment() {
        return moments.newest();
    }

    public void release(long timestamp) {
        moments.release(timestamp);
    }

    /// A number for each who reads, so that they take turns at the replicas of a cell.
    public int nextTurn() {
        return turns.getAndIncrement() & Integer.MAX_VALUE;
    }

    /// Where to read a key at a moment that was taken here before the leader's tablet was found: in
    /// a replica of its cell, or with the leader if none can answer.
    public Route find(Route leader, Bytes key, long timestamp, int turn) {
        List<ReadReplica> replicas = of(leader.cell().id());
        for (int next = 0; next < replicas.size(); next++) {
            ReadReplica replica = replicas.get((turn + next) % replicas.size());
            Tablet tablet =
                    replica.hasReached(timestamp) ? replica.find(leader.tablet(), key) : null;
            if (tablet != null) {
                replica.countRead();
                reads.increment();
                return new Route(leader.cell(), tablet);
            }
        }
        fallbacks.increment();
        return leader;
    }

    /// The same for some keys of the leader's tablet, in key order.
    public List<Part> find(Part leader, long timestamp, int turn) {
        Route route = leader.route();
        List<ReadReplica> replicas = of(route.cell().id());
        for (int next = 0; next < replicas.size(); next++) {
            ReadReplica replica = replicas.get((turn + next) % replicas.size());
            List<Tablet> tablets =
                    replica.hasReached(timestamp)
                            ? replica.find(route.tablet(), leader.range())
                            : List.of();
            if (!tablets.isEmpty()) {
                replica.countRead();
                reads.increment();
                return tablets.stream()
                        .map(tablet -> part(route.cell(), tablet, leader.range()))
                        .toList();
            }
        }
        fallbacks.increment();
        return List.of(leader);
    }

    private static Part part(Cell cell, Tablet tablet, KeyRange range) {
        return new Part(new Route(cell, tablet), range.intersection(tablet.range()));
    }

    // ---- how they do

    /// Holds the leader of a cell up for so long, to see how its replicas do without it. Returns
    /// when it is held.
    public void freeze(long cellId, Duration time) {
        Cell cell =
                cells.find(cellId)
                        .orElseThrow(
                                () ->
                                        new StatusException(
                                                Status.NOT_FOUND, "there is no cell " + cellId));
        if (time.isNegative() || time.compareTo(MAX_FREEZE) > 0) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "a cell is held up for at most %d seconds".formatted(MAX_FREEZE.toSeconds()));
        }
        var _ = cell.freeze(time);
    }

    /// A replica, and the zone that it is in.
    ///
    /// @param reachedMicros the newest moment that it has all of; 0 while it has none
    /// @param behindMicros how long ago by the wall clock that was the newest there was
    public record Info(
            String zone,
            long cellId,
            int number,
            long reachedMicros,
            long behindMicros,
            long halfLagMicros,
            long highLagMicros,
            long appliedRecords,
            long waitingRecords,
            long reads,
            long restarts,
            long memtableBytes,
            int tablets) {
        private static Info of(String zone, ReadReplica.Info replica) {
            return new Info(
                    zone,
                    replica.cellId(),
                    replica.number(),
                    replica.reachedMicros(),
                    replica.behindMicros(),
                    replica.halfLagMicros(),
                    replica.highLagMicros(),
                    replica.appliedRecords(),
                    replica.waitingRecords(),
                    replica.reads(),
                    replica.restarts(),
                    replica.memtableBytes(),
                    replica.tablets());
        }
    }

    /// By cell and number.
    public List<Info> infos() {
        List<Info> infos = new ArrayList<>();
        new TreeMap<>(byCell)
                .values()
                .forEach(
                        replicas ->
                                replicas.forEach(
                                        replica -> infos.add(Info.of(zone, replica.info()))));
        return infos;
    }

    /// How often a replica has answered for a tablet.
    public long reads() {
        return reads.sum();
    }

    /// How often a leader had to, in a transaction that reads replicas.
    public long fallbacks() {
        return fallbacks.sum();
    }

    /// The tablets of a table as a replica has them.
    public record Copy(int number, TabletInfo tablet) {}

    /// By replica, each in key order.
    public List<Copy> copies(Table table) {
        List<Copy> copies = new ArrayList<>();
        long now = env.wallMicros();
        for (Map.Entry<Long, List<ReadReplica>> cell : new TreeMap<>(byCell).entrySet()) {
            for (ReadReplica replica : cell.getValue()) {
                for (Tablet tablet : replica.tablets()) {
                    if (tablet.tableId() == table.id()) {
                        var route = new Route(cells.get(cell.getKey()), tablet);
                        copies.add(new Copy(replica.number(), TabletInfo.of(route, now)));
                    }
                }
            }
        }
        return copies;
    }
}
