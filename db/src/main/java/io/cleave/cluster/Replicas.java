package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.ReplicaInfo;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellService;
import io.cleave.tablet.ReadReplica;
import io.cleave.tablet.ReplicaMoments;
import io.cleave.tablet.Route;
import io.cleave.tablet.Route.Part;
import io.cleave.time.ReplicaMoment;

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

/// The read replicas of this process: creates and removes them as table settings and tablet places
/// change, and chooses which one answers a read. See `docs/replicas.md`.
///
/// Threads: any. Readers take no lock here.
public final class Replicas implements AutoCloseable {
    /// The longest time for which a cell may be frozen.
    private static final Duration MAX_FREEZE = Duration.ofMinutes(10);

    private final Catalog catalog;
    private final Cells cells;
    private final String zone;
    private final Env env;
    private final ReplicaMoments moments;
    private final AtomicInteger turns = new AtomicInteger();
    private final LongAdder reads = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();

    /// By cell id; the replicas of a cell by number. Changed only under the lock, where each list
    /// is replaced as a whole.
    private final Map<Long, List<ReadReplica>> byCell = new ConcurrentHashMap<>();

    /// Replicas that were stopped and may still be running.
    @GuardedBy("lock")
    private final List<ReadReplica> ending = new ArrayList<>();

    @GuardedBy("lock")
    private boolean closed;

    /// `zone` is the availability zone of this process.
    Replicas(Catalog catalog, Cells cells, String zone, Env env) {
        this.catalog = catalog;
        this.cells = cells;
        this.zone = zone;
        this.env = env;
        moments = new ReplicaMoments(cells.timeline(), env);
        catalog.onChange(_ -> adapt());
        adapt();
    }

    /// The number of replicas that a cell should have, and their tables.
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

    /// There is one zone, that of this process, so a count per zone and a count over all zones are
    /// equal.
    static int count(Table table) {
        return table.options().readReplicas().map(TableOptions.ReadReplicas::count).orElse(0);
    }

    private void adapt() {
        lock.lock();
        try {
            if (!closed) {
                Map<Long, Wanted> wanted = wanted(catalog.view());
                cells.local().forEach(cell -> adapt(cell, wanted.get(cell.id())));
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
                now.add(ReadReplica.begin(cell, zone, now.size() + 1, wanted.tables, env));
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

    /// Ends the replicas of a cell that is going to be closed. Returns when they have ended.
    void end(long cellId) {
        List<ReadReplica> all;
        lock.lock();
        try {
            List<ReadReplica> had = byCell.remove(cellId);
            if (had != null) {
                had.forEach(this::end);
            }
            all = ending.stream().filter(replica -> replica.cellId() == cellId).toList();
        } finally {
            lock.unlock();
        }
        all.forEach(ReadReplica::awaitEnd);
    }

    private List<ReadReplica> of(long cellId) {
        return byCell.getOrDefault(cellId, List.of());
    }

    /// Stops all replicas. Reads in progress continue.
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

    /// A timestamp at which replicas can answer for the table, held until `release`; empty if the
    /// table has no replicas or none is ready.
    public Optional<ReplicaMoment> take(Table table) {
        return count(table) == 0 ? Optional.empty() : moments.take();
    }

    /// The timestamp that stale reads use now; empty if no replica is ready.
    public OptionalLong newestMoment() {
        return moments.newest();
    }

    public void release(long timestamp) {
        moments.release(timestamp);
    }

    /// A number for each reader, so that readers are spread over the replicas of a cell.
    public int nextTurn() {
        return turns.getAndIncrement() & Integer.MAX_VALUE;
    }

    /// Where to read a key at a timestamp that was taken here before the leader's tablet was looked
    /// up: a replica of its cell, or the leader if no replica can answer.
    public Route find(Route leader, Bytes key, long timestamp, int turn) {
        List<ReadReplica> replicas = of(leader.cell().id());
        for (int next = 0; next < replicas.size(); next++) {
            ReadReplica replica = replicas.get((turn + next) % replicas.size());
            Route found = replica.hasReached(timestamp) ? replica.find(leader, key) : null;
            if (found != null) {
                replica.countRead();
                reads.increment();
                return found;
            }
        }
        fallbacks.increment();
        return leader;
    }

    /// Where to read a range of the leader's tablet at such a timestamp, in key order.
    public List<Part> find(Part leader, long timestamp, int turn) {
        List<ReadReplica> replicas = of(leader.route().cellId());
        for (int next = 0; next < replicas.size(); next++) {
            ReadReplica replica = replicas.get((turn + next) % replicas.size());
            List<Part> found = replica.hasReached(timestamp) ? replica.find(leader) : List.of();
            if (!found.isEmpty()) {
                replica.countRead();
                reads.increment();
                return found;
            }
        }
        fallbacks.increment();
        return List.of(leader);
    }

    /// Freezes the leader of a cell for this time, to test its replicas without it. Returns when
    /// the leader is frozen.
    public void freeze(long cellId, Duration time) {
        if (cells.find(cellId).isEmpty()) {
            throw new StatusException(Status.NOT_FOUND, "there is no cell " + cellId);
        }
        if (time.isNegative() || time.compareTo(MAX_FREEZE) > 0) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "a cell can be frozen for at most %d seconds"
                            .formatted(MAX_FREEZE.toSeconds()));
        }
        cells.freeze(cellId, time);
    }

    /// By cell id and replica number.
    public List<ReplicaInfo> infos() {
        List<ReplicaInfo> infos = new ArrayList<>();
        new TreeMap<>(byCell)
                .values()
                .forEach(replicas -> replicas.forEach(replica -> infos.add(replica.info())));
        return infos;
    }

    /// How many tablet reads a replica has answered.
    public long reads() {
        return reads.sum();
    }

    /// How many tablet reads the leader had to answer in transactions that read from replicas.
    public long fallbacks() {
        return fallbacks.sum();
    }

    /// A tablet as one replica has it.
    public record Copy(int number, TabletInfo tablet) {}

    /// By cell and replica number. The tablets of one replica are in no particular order.
    public List<Copy> copies(Table table) {
        List<Copy> copies = new ArrayList<>();
        long now = env.wallMicros();
        for (Map.Entry<Long, List<ReadReplica>> cell : new TreeMap<>(byCell).entrySet()) {
            CellService leader = cells.find(cell.getKey()).orElse(null);
            if (leader == null) {
                continue;
            }
            for (ReadReplica replica : cell.getValue()) {
                for (Route route : replica.tablets(leader)) {
                    if (route.statistics().tableId() == table.id()) {
                        copies.add(new Copy(replica.number(), TabletInfo.of(route, now)));
                    }
                }
            }
        }
        return copies;
    }
}
