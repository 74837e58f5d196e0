package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.base.Bytes;
import io.cleave.cluster.KeyText;
import io.cleave.schema.Balancer;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TabletCounters;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// A table whose rows and load do not change, however it is cut. Keys are pairs, so that bounds of
/// one column and of two come about. Commits wait for a tablet whose load is over what it can take,
/// which need not be much of a core. The table begins in the first of some cells.
final class ModelTable implements KeyFacts {
    static final Duration TICK = Duration.ofSeconds(10);

    private static final List<Type> TYPES = List.of(Primitive.UINT64, Primitive.UINT64);
    private static final int SAMPLES = 120;
    private static final String BUNDLE = "default";

    private final Table table;
    private final BalanceSettings settings;
    private final Random random;
    private final List<Spot> spots = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final int cells;
    private final double capacity;
    private final boolean remembers;
    private long nextId = 1;

    /// A key with what it has.
    private record Spot(Bytes key, long bytes, double cores) {}

    private static final class Piece {
        final long id;
        final KeyRange range;
        final double parentCores;
        long cellId;
        int ticks;

        Piece(long id, long cellId, KeyRange range, double parentCores) {
            this.id = id;
            this.cellId = cellId;
            this.range = range;
            this.parentCores = parentCores;
        }
    }

    /// @param remembers whether a tablet knows of which load it came
    ModelTable(
            Random random,
            Partitioning partitioning,
            BalanceSettings settings,
            int cells,
            boolean remembers) {
        this.remembers = remembers;
        table = DrawnTable.table(DrawnTable.TABLE_ID, TYPES, partitioning);
        this.cells = cells;
        this.settings = settings;
        this.random = random;
        int count = 1 + random.nextInt(300);
        double allMegabytes = Math.exp(random.nextDouble() * 8);
        double allCores = random.nextInt(4) == 0 ? 0 : random.nextDouble() * 6;
        var byKey = new TreeMap<Bytes, Spot>();
        double hot = random.nextInt(3) == 0 ? random.nextDouble() : 0;
        for (int index = 0; index < count; index++) {
            long first = random.nextInt(count);
            long second = random.nextInt(3) == 0 ? 0 : random.nextInt(1000);
            Bytes key = KeyCodec.encode(TYPES, Value.of(first), Value.of(second));
            double share = index == 0 ? hot : (1 - hot) / count;
            long bytes = (long) (allMegabytes * (1 << 20) / count);
            byKey.put(key, new Spot(key, bytes, allCores * share));
        }
        spots.addAll(byKey.values());
        // From half to twice of what is split by load.
        capacity = settings.splitCores() * (0.5 + 1.5 * random.nextDouble());
        pieces.add(new Piece(nextId++, 1, KeyRange.ALL, 0));
    }

    int ticksToRest() {
        return 12;
    }

    /// A table can be cut between its keys only, and what was cut can be merged once. Between two
    /// such changes a piece is moved a few times at most.
    int mostSteps() {
        return (4 * spots.size() + 20) * cells;
    }

    /// Where each piece begins, and its cell.
    List<String> layout() {
        return pieces.stream().map(piece -> text(piece.range.from()) + "@" + piece.cellId).toList();
    }

    void pass() {
        pieces.forEach(piece -> piece.ticks++);
    }

    ClusterState state() {
        var own =
                new TableState(
                        table, BUNDLE, Balancer.YDB, pieces.stream().map(this::state).toList());
        return new ClusterState(
                List.of(own),
                IntStream.rangeClosed(1, cells)
                        .mapToObj(cellId -> new CellMembership(cellId, BUNDLE, 1))
                        .toList(),
                List.of());
    }

    private TabletState state(Piece piece) {
        List<Spot> own = own(piece);
        long bytes = own.stream().mapToLong(Spot::bytes).sum();
        double cores = own.stream().mapToDouble(Spot::cores).sum();
        double queue = Math.max(0, (cores - capacity) / capacity * settings.splitQueue() * 4);
        return new TabletState(
                piece.id,
                piece.cellId,
                piece.range,
                bytes,
                own.size(),
                cores,
                cores,
                cores,
                queue,
                queue,
                queue > settings.splitQueue() * 2 ? settings.splitRejects() : 0,
                piece.ticks * TICK.toMillis(),
                remembers ? piece.parentCores : 0,
                0,
                0,
                0,
                0,
                MountState.MOUNTED,
                TabletCounters.NONE);
    }

    private List<Spot> own(Piece piece) {
        return spots.stream().filter(spot -> piece.range.contains(spot.key)).toList();
    }

    private Piece piece(long id) {
        return pieces.stream().filter(piece -> piece.id == id).findFirst().orElseThrow();
    }

    void split(Split split) {
        Piece parent = piece(split.tabletId());
        double cores =
                switch (split.rule()) {
                    case SPLIT_BY_LOAD, SPLIT_UNEVEN, SPLIT_BY_SATURATION, SPLIT_AHEAD ->
                            state(parent).cores();
                    default -> 0;
                };
        int at = pieces.indexOf(parent);
        pieces.remove(at);
        int lastOf = at + split.keys().size();
        Bytes from = parent.range.from();
        for (Bytes key : split.keys()) {
            pieces.add(at++, new Piece(nextId++, parent.cellId, new KeyRange(from, key), cores));
            from = key;
        }
        pieces.add(
                at,
                new Piece(nextId++, parent.cellId, new KeyRange(from, parent.range.to()), cores));
        split.opening()
                .filter(opening -> opening.cellId().isPresent())
                .ifPresent(
                        opening -> {
                            int opened =
                                    opening.end() == Decision.End.LAST
                                            ? lastOf
                                            : lastOf - split.keys().size();
                            pieces.get(opened).cellId = opening.cellId().getAsLong();
                        });
    }

    void merge(Merge merge) {
        Piece first = piece(merge.tabletIds().getFirst());
        Piece last = piece(merge.tabletIds().getLast());
        int at = pieces.indexOf(first);
        long cellId =
                merge.tabletIds().stream()
                        .map(this::piece)
                        .max(Comparator.comparingLong(piece -> state(piece).bytes()))
                        .orElseThrow()
                        .cellId;
        pieces.removeIf(piece -> merge.tabletIds().contains(piece.id));
        var range = new KeyRange(first.range.from(), last.range.to());
        pieces.add(at, new Piece(nextId++, cellId, range, 0));
    }

    /// A tablet that was moved is measured anew.
    void move(Move move) {
        Piece piece = piece(move.tabletId());
        piece.cellId = move.toCellId();
        piece.ticks = 0;
    }

    @Override
    public List<SizePoint> sizes(long tabletId, int count) {
        List<Spot> own = own(piece(tabletId));
        double all = own.stream().mapToLong(Spot::bytes).sum();
        List<SizePoint> points = new ArrayList<>();
        double before = 0;
        for (Spot spot : own) {
            if (before > 0) {
                points.add(new SizePoint(spot.key, before / all));
            }
            before += spot.bytes;
        }
        return points;
    }

    /// By chance, as they come.
    @Override
    public List<KeySample> samples(long tabletId) {
        List<Spot> own = own(piece(tabletId));
        double all = own.stream().mapToDouble(Spot::cores).sum();
        List<KeySample> samples = new ArrayList<>();
        for (int index = 0; index < SAMPLES && all > 0; index++) {
            double at = random.nextDouble() * all;
            int spot = -1;
            while (at >= 0 && spot + 1 < own.size()) {
                spot++;
                at -= own.get(spot).cores;
            }
            Access access = Access.values()[random.nextInt(Access.values().length)];
            samples.add(new KeySample(own.get(spot).key, access, index, 1));
        }
        return samples;
    }

    String text(Bytes key) {
        return KeyText.of(table, key);
    }

    @Override
    public String toString() {
        return "%s, %d keys, %s".formatted(table.options().partitioning(), spots.size(), state());
    }
}
