package io.cleave.analysis;

import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Index;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// A table as the CREATE TABLE that makes it.
final class TableText {
    private static final String INDENT = "    ";
    private static final long DAY_SECONDS = 24 * 3600;

    private TableText() {}

    /// `name` is what the text calls it.
    static String of(Table table, String name) {
        List<String> entries = new ArrayList<>();
        table.columns().forEach(column -> entries.add(column(column)));
        table.indexes().forEach(index -> entries.add(index(index)));
        for (ColumnFamily family : table.families()) {
            if (!family.equals(ColumnFamily.DEFAULT)) {
                entries.add(family(family));
            }
        }
        entries.add("PRIMARY KEY (" + names(table.key().stream().map(Column::name).toList()) + ")");
        return "CREATE TABLE "
                + quoted(name)
                + " (\n"
                + list(entries)
                + "\n)\nWITH (\n"
                + list(settings(table.options()))
                + "\n);\n";
    }

    private static String list(List<String> items) {
        return INDENT + String.join(",\n" + INDENT, items);
    }

    static String quoted(String name) {
        return "`" + name.replace("\\", "\\\\").replace("`", "``") + "`";
    }

    private static String column(Column column) {
        var text = new StringBuilder(quoted(column.name())).append(' ');
        if (column.sequence().isPresent()) {
            text.append(
                    switch (column.type()) {
                        case Primitive.INT16 -> "SmallSerial";
                        case Primitive.INT32 -> "Serial";
                        default -> "BigSerial";
                    });
        } else {
            text.append(column.type().text());
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
                && column.preset().get() instanceof Preset.Generated(String expression)) {
            text.append(" GENERATED ALWAYS AS (").append(expression).append(") STORED");
        }
        return text.toString();
    }

    /// A constructor says every value of every type that a column may have.
    private static String literal(Type type, Value value) {
        String text = TextForm.print(type, value);
        return switch (type) {
            case Primitive.BOOL -> text;
            case Primitive.STRING -> string(text);
            case Primitive.UTF8 -> string(text) + "u";
            case Type.Decimal(int precision, int scale) ->
                    "Decimal(%s, %d, %d)".formatted(string(text), precision, scale);
            default -> type.text() + "(" + string(text) + ")";
        };
    }

    private static String string(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
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
        List<String> settings = new ArrayList<>();
        settings.add("AUTO_PARTITIONING_BY_SIZE = " + flag(partitioning.bySize()));
        if (partitioning.bySize()) {
            settings.add("AUTO_PARTITIONING_PARTITION_SIZE_MB = " + partitioning.sizeMegabytes());
        }
        settings.add("AUTO_PARTITIONING_BY_LOAD = " + flag(partitioning.byLoad()));
        settings.add("AUTO_PARTITIONING_MIN_PARTITIONS_COUNT = " + partitioning.minCount());
        if (partitioning.maxCount() > 0) {
            settings.add("AUTO_PARTITIONING_MAX_PARTITIONS_COUNT = " + partitioning.maxCount());
        }
        options.keyBloomFilter().ifPresent(on -> settings.add("KEY_BLOOM_FILTER = " + flag(on)));
        options.readReplicas()
                .ifPresent(
                        replicas ->
                                settings.add(
                                        "READ_REPLICAS_SETTINGS = '%s:%d'"
                                                .formatted(
                                                        replicas.placement(), replicas.count())));
        options.ttl().ifPresent(ttl -> settings.add("TTL = " + ttl(ttl)));
        return settings;
    }

    private static String flag(boolean on) {
        return on ? "ENABLED" : "DISABLED";
    }

    private static String ttl(Ttl ttl) {
        return "Interval('%s') ON %s%s"
                .formatted(
                        interval(ttl.expireAfterSeconds()),
                        quoted(ttl.column()),
                        ttl.unit() == TtlUnit.DATE ? "" : " AS " + ttl.unit());
    }

    /// Days, and then hours, minutes and seconds: weeks are not used.
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
