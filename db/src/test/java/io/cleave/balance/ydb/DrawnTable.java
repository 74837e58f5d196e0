package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.KeyFacts.Access;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.balance.KeyFacts.SizePoint;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.base.Bytes;
import io.cleave.cluster.KeyText;
import io.cleave.schema.Balancer;
import io.cleave.schema.CellStage;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounters;
import io.cleave.testkit.DataDriven;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// A table as a text draws it:
///
/// ```
/// decide size=100 by_size=on by_load=on min=1 max=0 key=Uint64,Utf8
/// tablet 7 from=10 to=20 mb=104 rows=10 cpu=60 late=60 peak=60 queue=0 rejects=0 age=60 parent=0
/// tail 8 49 mb=60                   # 49 tablets, 8 and on, of one number each from a million on
/// sizes 7 10,'a'=30 10,'b'=60       # keys with so many percent of the bytes before them
/// even 7 0..1000                    # numbers, evenly
/// reads 7 10x30 11x5                # samples of keys, so many of each
/// writes 7 10x30
/// spread 7 0..1000 200              # reads of 200 numbers, evenly
/// starts 7 10x30                    # of scans
/// scan 7 0..1000 200                # passes 200 numbers, evenly
/// grow 7 5,1000..2000 100           # writes of growing numbers, over ten seconds
/// burst 7 1000..2000 100 at=3000 ms=400     # the same over so many milliseconds from a time on
/// weight 7 4                        # of each sample that comes after this line
/// other 9 in=2 mb=100 cpu=20        # a tablet that is a table of its own
/// ```
///
/// A tablet without `from` begins where the one before it ends. A tablet is in cell 1 unless it
/// says `in=2`. There are cells 1 and 2, or as many as `cells` says; `decide cellmb=100 cellcpu=50`
/// sets from which size and load on cells give tablets away.
final class DrawnTable implements KeyFacts {
    private static final long WINDOW_MICROS = 10_000_000;
    private static final long TAIL = 1_000_000;

    static final long TABLE_ID = 1;
    private static final String BUNDLE = "default";

    private final Table table;
    private final int cells;

    /// The cell that is being removed; 0 if there is none.
    private final long leaving;

    private final BalanceSettings settings;
    private final List<TableState> others = new ArrayList<>();
    private final List<TabletState> tablets = new ArrayList<>();
    private final Map<Long, List<SizePoint>> sizes = new HashMap<>();
    private final Map<Long, List<KeySample>> samples = new HashMap<>();
    private final Map<Long, List<Long>> even = new HashMap<>();
    private double weight = 1;

    DrawnTable(DataDriven.Command command) {
        Map<String, String> args = command.args();
        var partitioning =
                new Partitioning(
                        !args.getOrDefault("by_size", "on").equals("off"),
                        Long.parseLong(args.getOrDefault("size", "100")),
                        args.getOrDefault("by_load", "off").equals("on"),
                        Long.parseLong(args.getOrDefault("min", "1")),
                        Long.parseLong(args.getOrDefault("max", "0")));
        List<Type> types =
                Arrays.stream(args.getOrDefault("key", "Uint64").split(","))
                        .map(name -> (Type) Primitive.valueOf(name.toUpperCase(Locale.ROOT)))
                        .toList();
        table = table(TABLE_ID, types, partitioning);
        cells = Integer.parseInt(args.getOrDefault("cells", "2"));
        leaving = Long.parseLong(args.getOrDefault("leaving", "0"));
        settings =
                BalanceSettings.DEFAULT.withCells(
                        Double.parseDouble(args.getOrDefault("cellcpu", "100")) / 100,
                        Long.parseLong(args.getOrDefault("cellmb", "10240")) << 20);
        command.input().forEach(this::add);
    }

    static Table table(long id, List<Type> types, Partitioning partitioning) {
        List<Column> columns = new ArrayList<>();
        for (Type type : types) {
            columns.add(
                    new Column(
                            columns.size() + 1,
                            "k" + (columns.size() + 1),
                            type,
                            false,
                            Column.DEFAULT_FAMILY,
                            Optional.empty()));
        }
        return new Table(
                id,
                1,
                "/local/t",
                columns,
                IntStream.range(0, types.size()).boxed().toList(),
                columns.size() + 1,
                List.of(ColumnFamily.DEFAULT),
                TableOptions.DEFAULT.with(partitioning),
                Map.of(),
                0,
                List.of(),
                0);
    }

    ClusterState cluster() {
        List<TableState> tables = new ArrayList<>(others);
        tables.add(new TableState(table, BUNDLE, Balancer.YDB, tablets));
        return new ClusterState(
                tables,
                IntStream.rangeClosed(1, cells)
                        .mapToObj(cellId -> new CellMembership(cellId, BUNDLE, 1, stage(cellId)))
                        .toList(),
                List.of());
    }

    private CellStage stage(long cellId) {
        return cellId == leaving ? CellStage.DECOMMISSIONING : CellStage.RUNNING;
    }

    BalanceSettings settings() {
        return settings;
    }

    String text(Bytes key) {
        return KeyText.of(table, key);
    }

    private void add(String line) {
        List<String> words = List.of(line.strip().split("\\s+"));
        long tabletId = Long.parseLong(words.get(1));
        List<String> rest = words.subList(2, words.size());
        switch (words.getFirst()) {
            case "tablet" -> tablets.add(tablet(tabletId, rest));
            case "other" -> addOther(tabletId, rest);
            case "tail" -> addTail(tabletId, Integer.parseInt(rest.getFirst()), rest.get(1));
            case "sizes" -> rest.forEach(word -> addSize(tabletId, word));
            case "even" -> even.put(tabletId, range(rest.getFirst()));
            case "reads" -> rest.forEach(word -> addSamples(tabletId, word, Access.READ));
            case "writes" -> rest.forEach(word -> addSamples(tabletId, word, Access.WRITE));
            case "weight" -> weight = Double.parseDouble(rest.getFirst());
            case "spread" -> addNumbers(tabletId, rest, Access.READ);
            case "burst" -> addBurst(tabletId, rest);
            case "starts" -> rest.forEach(word -> addSamples(tabletId, word, Access.RANGE));
            case "scan" -> addNumbers(tabletId, rest, Access.RANGE);
            case "grow" -> addNumbers(tabletId, rest, Access.WRITE);
            default -> throw new IllegalArgumentException(line);
        }
    }

    private void addOther(long tabletId, List<String> words) {
        Table own = table(100 + tabletId, List.of(Primitive.UINT64), Partitioning.DEFAULT);
        others.add(new TableState(own, BUNDLE, Balancer.YDB, List.of(tablet(tabletId, words))));
    }

    private void addTail(long tabletId, int count, String size) {
        for (int index = 0; index < count; index++) {
            boolean isLast = index == count - 1;
            tablets.add(
                    tablet(
                            tabletId + index,
                            isLast ? List.of(size) : List.of(size, "to=" + (TAIL + index))));
        }
    }

    private TabletState tablet(long tabletId, List<String> words) {
        Map<String, String> given = new HashMap<>();
        words.forEach(word -> given.put(word.split("=", 2)[0], word.split("=", 2)[1]));
        Bytes from = tablets.isEmpty() ? Bytes.EMPTY : tablets.getLast().range().to();
        if (given.containsKey("from")) {
            from = KeyText.parse(table, given.get("from"));
        }
        Bytes to = given.containsKey("to") ? KeyText.parse(table, given.get("to")) : null;
        double cores = number(given, "cpu", 0) / 100;
        double queue = number(given, "queue", 0);
        return new TabletState(
                tabletId,
                (long) number(given, "in", 1),
                new KeyRange(from == null ? Bytes.EMPTY : from, to),
                (long) (number(given, "mb", 0) * (1 << 20)),
                (long) number(given, "rows", 1000),
                cores,
                number(given, "late", cores * 100) / 100,
                number(given, "peak", cores * 100) / 100,
                queue,
                number(given, "peakqueue", queue),
                number(given, "rejects", 0),
                (long) (number(given, "age", 3600) * 1000),
                number(given, "parent", 0) / 100,
                (long) number(given, "longest", 0),
                (long) (number(given, "cell", 0) * (1 << 20)),
                0,
                0,
                MountState.MOUNTED,
                TabletCounters.NONE);
    }

    private static double number(Map<String, String> given, String name, double otherwise) {
        return given.containsKey(name) ? Double.parseDouble(given.get(name)) : otherwise;
    }

    private static List<Long> range(String text) {
        return Arrays.stream(text.split("\\.\\.")).map(Long::parseLong).toList();
    }

    private void addSize(long tabletId, String word) {
        int at = word.lastIndexOf('=');
        sizes.computeIfAbsent(tabletId, _ -> new ArrayList<>())
                .add(
                        new SizePoint(
                                KeyText.parse(table, word.substring(0, at)),
                                Double.parseDouble(word.substring(at + 1)) / 100));
    }

    private void addSamples(long tabletId, String word, Access access) {
        int at = word.lastIndexOf('x');
        Bytes key = KeyText.parse(table, word.substring(0, at));
        for (int count = Integer.parseInt(word.substring(at + 1)); count > 0; count--) {
            add(tabletId, new KeySample(key, access, WINDOW_MICROS / 2, weight));
        }
    }

    private void addBurst(long tabletId, List<String> words) {
        Map<String, String> given = new HashMap<>();
        words.stream()
                .skip(2)
                .forEach(word -> given.put(word.split("=", 2)[0], word.split("=", 2)[1]));
        long from = (long) number(given, "at", 0) * 1000;
        addNumbers(tabletId, words, Access.WRITE, from, (long) number(given, "ms", 0) * 1000);
    }

    private void addNumbers(long tabletId, List<String> words, Access access) {
        addNumbers(tabletId, words, access, 0, WINDOW_MICROS);
    }

    private void addNumbers(
            long tabletId, List<String> words, Access access, long fromMicros, long micros) {
        int comma = words.getFirst().lastIndexOf(',') + 1;
        String first = words.getFirst().substring(0, comma);
        String[] ends = words.getFirst().substring(comma).split("\\.\\.");
        var from = new BigInteger(ends[0]);
        BigInteger length = new BigInteger(ends[1]).subtract(from);
        int count = Integer.parseInt(words.get(1));
        for (int index = 0; index < count; index++) {
            BigInteger behind = length.multiply(BigInteger.valueOf(index));
            BigInteger number = from.add(behind.divide(BigInteger.valueOf(count)));
            Bytes key = KeyText.parse(table, first + number);
            add(tabletId, new KeySample(key, access, fromMicros + micros * index / count, weight));
        }
    }

    private void add(long tabletId, KeySample sample) {
        samples.computeIfAbsent(tabletId, _ -> new ArrayList<>()).add(sample);
    }

    @Override
    public List<SizePoint> sizes(long tabletId, int count) {
        List<Long> ends = even.get(tabletId);
        if (ends == null) {
            return sizes.getOrDefault(tabletId, List.of());
        }
        List<SizePoint> points = new ArrayList<>();
        for (int index = 1; index < count; index++) {
            long number = ends.getFirst() + (ends.getLast() - ends.getFirst()) * index / count;
            points.add(
                    new SizePoint(
                            KeyText.parse(table, Long.toString(number)), (double) index / count));
        }
        return points;
    }

    @Override
    public List<KeySample> samples(long tabletId) {
        return samples.getOrDefault(tabletId, List.of()).stream()
                .sorted(Comparator.comparingLong(KeySample::micros))
                .toList();
    }
}
