package io.cleave.analysis;

import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Index;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Preset;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.value.Ints;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Formats a table as the statements that create it, with the wording and layout of YDB's SHOW
/// CREATE.
final class TableText {
    private static final String INDENT = "    ";
    private static final long DAY_SECONDS = 24 * 3600;

    /// The default start and increment of a sequence, which are not printed.
    private static final long NO_NUMBER = 1;

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Pattern PLAIN_REAL = Pattern.compile("-?[0-9]+[.][0-9]+");

    /// The parser cannot read it as a number: its digits without the sign overflow.
    private static final String LEAST = "" + Long.MIN_VALUE;

    private TableText() {}

    /// `name` is the table name to print. `indexTables` are the tables of its indexes, in index
    /// order.
    static String of(Table table, String name, List<Table> indexTables) {
        List<String> entries = new ArrayList<>();
        table.columns().forEach(column -> entries.add(column(table, column)));
        table.indexes().forEach(index -> entries.add(index(index)));
        for (ColumnFamily family : table.families()) {
            if (!family.equals(ColumnFamily.DEFAULT)) {
                entries.add(family(family));
            }
        }
        entries.add("PRIMARY KEY (" + names(table.key().stream().map(Column::name).toList()) + ")");
        var text =
                new StringBuilder("CREATE TABLE ")
                        .append(quoted(name))
                        .append(" (\n")
                        .append(list(entries))
                        .append("\n)")
                        .append(with(settings(table.options())))
                        .append(";\n");
        waitingSize(table.options())
                .ifPresent(size -> text.append(alteration(name, "SET (" + size + ")")));
        table.columns().forEach(column -> text.append(sequence(table, column)));
        for (int index = 0; index < indexTables.size(); index++) {
            TableOptions options = indexTables.get(index).options();
            String set = "ALTER INDEX " + quoted(table.indexes().get(index).name()) + " SET (";
            List<String> settings = settings(options);
            if (!settings.isEmpty()) {
                text.append(alteration(name, set + String.join(", ", settings) + ")"));
            }
            waitingSize(options).ifPresent(size -> text.append(alteration(name, set + size + ")")));
        }
        return text.toString();
    }

    private static String alteration(String name, String action) {
        return "\nALTER TABLE " + quoted(name) + "\n" + INDENT + action + "\n;\n";
    }

    /// The partition size, if it is set while BY_SIZE is disabled. One statement cannot set both.
    private static Optional<String> waitingSize(TableOptions options) {
        Partitioning partitioning = options.partitioning();
        return partitioning.bySize() || partitioning.sizeMegabytes() == Partitioning.NO_SIZE
                ? Optional.empty()
                : Optional.of(size(partitioning));
    }

    private static String size(Partitioning partitioning) {
        return "AUTO_PARTITIONING_PARTITION_SIZE_MB = " + partitioning.sizeMegabytes();
    }

    /// A single setting stays on one line.
    private static String with(List<String> settings) {
        return switch (settings.size()) {
            case 0 -> "";
            case 1 -> "\nWITH (" + settings.getFirst() + ")";
            default -> "\nWITH (\n" + list(settings) + "\n)";
        };
    }

    private static String list(List<String> items) {
        return INDENT + String.join(",\n" + INDENT, items);
    }

    static String quoted(String name) {
        return "`" + name.replace("\\", "\\\\").replace("`", "``") + "`";
    }

    private static String column(Table table, Column column) {
        var text = new StringBuilder(quoted(column.name())).append(' ');
        if (column.sequence().isPresent()) {
            text.append(
                    switch (column.type()) {
                        case Primitive.INT16 -> "Serial2";
                        case Primitive.INT32 -> "Serial4";
                        default -> "Serial8";
                    });
        } else {
            text.append(type(column.type()));
        }
        if (!column.family().equals(Column.DEFAULT_FAMILY)) {
            text.append(" FAMILY ").append(quoted(column.family()));
        }
        if (column.notNull()) {
            text.append(" NOT NULL");
        }
        if (column.preset().isPresent()
                && column.preset().get() instanceof Preset.Literal(Value value)) {
            text.append(" DEFAULT ").append(literal(column.type(), value));
        }
        if (column.preset().isPresent()
                && column.preset().get() instanceof Preset.Generated generated) {
            text.append(generated(table, generated));
        }
        return text.toString();
    }

    /// An expression of YTsaurus' language is shown in YQL if YQL can say the same; otherwise as a
    /// comment.
    private static String generated(Table table, Preset.Generated generated) {
        Optional<String> expression =
                switch (generated.language()) {
                    case YQL -> Optional.of(generated.expression());
                    case YT -> ComputedColumnText.inYql(generated.expression(), table.key());
                };
        return expression
                .map(text -> " GENERATED ALWAYS AS (" + text + ") STORED")
                .orElseGet(
                        () ->
                                " /* computed in YTsaurus' language: "
                                        + generated.expression().replace("*/", "* /")
                                        + " */");
    }

    private static String type(Type type) {
        return type instanceof Type.Decimal(int precision, int scale)
                ? "Decimal(%d, %d)".formatted(precision, scale)
                : type.text();
    }

    /// A plain literal if it has the same value and type, otherwise a call of the type's
    /// constructor.
    private static String literal(Type type, Value value) {
        String text = TextForm.print(type, value);
        return switch (type) {
            case Primitive.BOOL -> text.toUpperCase(Locale.ROOT);
            case Primitive.STRING, Primitive.UTF8 -> string(text);
            case Type.Decimal _ -> "CAST(%s AS %s)".formatted(string(text), type(type));
            case Primitive.DOUBLE, Primitive.FLOAT -> real(type, value, text);
            case Primitive.JSON, Primitive.YSON, Primitive.JSON_DOCUMENT, Primitive.DY_NUMBER ->
                    call(type.text(), text);
            case Primitive whole when Ints.isInteger(whole) ->
                    text.equals(LEAST) ? call(type.text(), text) : text;
            default -> call(type.text().toUpperCase(Locale.ROOT), text);
        };
    }

    /// There are no literals for NaN and the infinities.
    private static String real(Type type, Value value, String text) {
        double real = value instanceof Value.Real(double number) ? number : 0;
        if (!Double.isFinite(real)) {
            String sum = Double.isNaN(real) ? "0.0" : real > 0 ? "1.0" : "-1.0";
            return "CAST(%s / 0.0 AS %s)".formatted(sum, type.text());
        }
        boolean plain = type == Primitive.DOUBLE && PLAIN_REAL.matcher(text).matches();
        return plain ? text : call(type.text(), text);
    }

    private static String call(String constructor, String text) {
        return constructor + "(" + string(text) + ")";
    }

    private static String string(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
    }

    /// Prints the sequence's settings that differ from those of a serial column. The current value
    /// is not printed.
    private static String sequence(Table table, Column column) {
        if (column.sequence().isEmpty()) {
            return "";
        }
        Sequence sequence = column.sequence().get();
        var changes = new StringBuilder();
        if (sequence.start() != NO_NUMBER) {
            changes.append(" START WITH ").append(sequence.start());
        }
        if (sequence.increment() != NO_NUMBER) {
            changes.append(" INCREMENT BY ").append(sequence.increment());
        }
        if (sequence.start() != NO_NUMBER) {
            changes.append(" RESTART");
        }
        return changes.isEmpty()
                ? ""
                : "\nALTER SEQUENCE "
                        + quoted(table.path() + "/" + column.sequenceName())
                        + changes
                        + ";\n";
    }

    private static String index(Index index) {
        String kind =
                switch (index.kind()) {
                    case SYNC -> "GLOBAL SYNC";
                    case ASYNC -> "GLOBAL ASYNC";
                    case UNIQUE -> "GLOBAL UNIQUE SYNC";
                };
        String text =
                "INDEX %s %s ON (%s)".formatted(quoted(index.name()), kind, names(index.columns()));
        return index.cover().isEmpty() ? text : text + " COVER (" + names(index.cover()) + ")";
    }

    private static String names(List<String> names) {
        return String.join(", ", names.stream().map(TableText::quoted).toList());
    }

    private static String family(ColumnFamily family) {
        List<String> settings = new ArrayList<>();
        if (!family.data().isEmpty()) {
            settings.add("DATA = " + string(family.data()));
        }
        settings.add("COMPRESSION = " + string(family.compression()));
        if (!family.cacheMode().equals(ColumnFamily.REGULAR)) {
            settings.add("CACHE_MODE = " + string(family.cacheMode()));
        }
        return "FAMILY " + quoted(family.name()) + " (" + String.join(", ", settings) + ")";
    }

    private static List<String> settings(TableOptions options) {
        Partitioning partitioning = options.partitioning();
        Partitioning standard = TableOptions.DEFAULT.partitioning();
        List<String> settings = new ArrayList<>();
        if (!partitioning.bySize()) {
            settings.add("AUTO_PARTITIONING_BY_SIZE = DISABLED");
        } else if (partitioning.sizeMegabytes() != standard.sizeMegabytes()) {
            settings.add("AUTO_PARTITIONING_BY_SIZE = ENABLED");
            settings.add(size(partitioning));
        }
        if (partitioning.byLoad() != standard.byLoad()) {
            settings.add("AUTO_PARTITIONING_BY_LOAD = " + flag(partitioning.byLoad()));
        }
        // No SQL setting disables merges.
        if (partitioning.minCount() != standard.minCount()
                && partitioning.minCount() != Partitioning.NO_MERGES) {
            settings.add("AUTO_PARTITIONING_MIN_PARTITIONS_COUNT = " + partitioning.minCount());
        }
        if (partitioning.maxCount() > 0) {
            settings.add("AUTO_PARTITIONING_MAX_PARTITIONS_COUNT = " + partitioning.maxCount());
        }
        options.readReplicas()
                .ifPresent(
                        replicas ->
                                settings.add(
                                        "READ_REPLICAS_SETTINGS = '%s:%d'"
                                                .formatted(
                                                        replicas.placement(), replicas.count())));
        options.keyBloomFilter().ifPresent(on -> settings.add("KEY_BLOOM_FILTER = " + flag(on)));
        options.ttl().ifPresent(ttl -> settings.add("TTL = " + ttl(ttl)));
        options.balancer().ifPresent(set -> settings.add("BALANCER = " + set.text()));
        return settings;
    }

    private static String flag(boolean on) {
        return on ? "ENABLED" : "DISABLED";
    }

    private static String ttl(Ttl ttl) {
        String column = ttl.column();
        return "INTERVAL('%s') DELETE ON %s%s"
                .formatted(
                        interval(ttl.expireAfterSeconds()),
                        PLAIN_NAME.matcher(column).matches() ? column : quoted(column),
                        ttl.unit() == TtlUnit.DATE ? "" : " AS " + ttl.unit());
    }

    /// Days, hours, minutes and seconds. Weeks are not used.
    private static String interval(long seconds) {
        var text = new StringBuilder("P");
        if (seconds >= DAY_SECONDS) {
            text.append(seconds / DAY_SECONDS).append('D');
        }
        long rest = seconds % DAY_SECONDS;
        if (rest > 0 || seconds == 0) {
            text.append('T');
            if (rest >= 3600) {
                text.append(rest / 3600).append('H');
            }
            if (rest % 3600 >= 60) {
                text.append(rest % 3600 / 60).append('M');
            }
            if (rest % 60 > 0 || seconds == 0) {
                text.append(rest % 60).append('S');
            }
        }
        return text.toString();
    }
}
