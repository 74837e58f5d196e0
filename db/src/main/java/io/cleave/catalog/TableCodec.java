package io.cleave.catalog;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.schema.Balancer;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Index;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Preset;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.Placement;
import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.value.FieldCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Decimal;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A table's description as bytes, in the column `description` of the system table `paths`. The
/// first byte is the number of the form; a reader knows all earlier forms.
///
/// Form 2 is form 1 followed by *parts*, each with its number and its bytes, until the end. Empty
/// parts are omitted, so that new features cost old tables nothing.
final class TableCodec {
    /// Stored on disk. Form 1 had no parts, no sequences, and no value for rows older than a
    /// column.
    private static final byte FORM = 2;

    private static final byte FIRST_FORM = 1;

    // The numbers of parts; stored on disk.
    private static final int INDEXES = 1;
    private static final int OWNER = 2;

    /// The ids of columns that are becoming NOT NULL.
    private static final int SETTING_NOT_NULL = 8;

    /// The timestamp from which the table has all its rows.
    private static final int WHOLE_FROM = 9;

    /// What YTsaurus' API knows of the table: see [YtTableCodec].
    private static final int YT = 10;

    /// The balancer that was set.
    private static final int BALANCER = 11;

    // The kind of preset after a column's family; stored on disk.
    private static final byte NO_PRESET = 0;
    private static final byte LITERAL = 1;
    private static final byte FROM_SEQUENCE = 2;
    private static final byte GENERATED = 3;

    /// A sequence with the description given by CreateTable, which follows its numbers.
    private static final byte FROM_DESCRIBED_SEQUENCE = 4;

    /// An expression in YTsaurus' query language.
    private static final byte GENERATED_IN_YT = 5;

    /// Used in place of a primitive's wire id; precision and scale follow.
    private static final int DECIMAL = 0xFFFF;

    private TableCodec() {}

    static byte[] encode(Table table) {
        var out = new ByteWriter(512);
        out.putByte(FORM);
        out.putVarLong(table.id());
        out.putVarLong(table.version());
        out.putText(table.path());
        out.putVarLong(table.columns().size());
        table.columns().forEach(column -> putColumn(out, column));
        out.putVarLong(table.keyColumns().size());
        table.keyColumns().forEach(out::putVarLong);
        out.putVarLong(table.nextColumnId());
        out.putVarLong(table.families().size());
        for (ColumnFamily family : table.families()) {
            out.putText(family.name());
            out.putText(family.data());
            out.putText(family.compression());
            out.putText(family.cacheMode());
        }
        putOptions(out, table.options());
        out.putVarLong(table.attributes().size());
        table.attributes()
                .forEach(
                        (name, value) -> {
                            out.putText(name);
                            out.putText(value);
                        });
        out.putLong(table.createdMicros());
        if (!table.indexes().isEmpty()) {
            putPart(out, INDEXES, part -> putIndexes(part, table.indexes()));
        }
        List<Integer> setting =
                table.columns().stream().filter(Column::settingNotNull).map(Column::id).toList();
        if (!setting.isEmpty()) {
            putPart(
                    out,
                    SETTING_NOT_NULL,
                    part -> {
                        part.putVarLong(setting.size());
                        setting.forEach(part::putVarLong);
                    });
        }
        if (table.isIndexTable()) {
            putPart(out, OWNER, part -> part.putVarLong(table.ownerId()));
        }
        if (table.wholeFrom() != 0) {
            putPart(out, WHOLE_FROM, part -> part.putLong(table.wholeFrom()));
        }
        table.options()
                .yt()
                .ifPresent(yt -> putPart(out, YT, part -> YtTableCodec.encode(part, yt)));
        table.options()
                .balancer()
                .ifPresent(set -> putPart(out, BALANCER, part -> part.putVarLong(set.code())));
        return out.toArray();
    }

    private static void putPart(ByteWriter out, int number, Consumer<ByteWriter> content) {
        var part = new ByteWriter(64);
        content.accept(part);
        out.putVarLong(number);
        out.putBytes(Bytes.wrap(part.toArray()));
    }

    /// The parts by number.
    private static Map<Integer, ByteReader> parts(ByteReader in) {
        Map<Integer, ByteReader> parts = new HashMap<>();
        while (in.hasMore()) {
            int number = (int) in.getVarLong();
            Bytes part = in.getBytes();
            parts.put(number, new ByteReader(part.array(), 0, part.length()));
        }
        return parts;
    }

    private static void putIndexes(ByteWriter out, List<Index> indexes) {
        out.putVarLong(indexes.size());
        for (Index index : indexes) {
            out.putText(index.name());
            out.putText(index.kind().name());
            putTexts(out, index.columns());
            putTexts(out, index.cover());
            out.putText(index.state().name());
        }
    }

    private static List<Index> indexes(ByteReader in) {
        return list(
                in,
                () ->
                        new Index(
                                in.getText(),
                                Index.Kind.valueOf(in.getText()),
                                list(in, in::getText),
                                list(in, in::getText),
                                Index.State.valueOf(in.getText())));
    }

    private static void putTexts(ByteWriter out, List<String> texts) {
        out.putVarLong(texts.size());
        texts.forEach(out::putText);
    }

    static Table decode(byte[] data, int from, int to) {
        var in = new ByteReader(data, from, to);
        byte form = in.getByte();
        Check.that(
                form >= FIRST_FORM && form <= FORM,
                "a table description of form %d, which is newer",
                form);
        long id = in.getVarLong();
        long version = in.getVarLong();
        String path = in.getText();
        List<Column> columns = list(in, () -> column(in, form));
        List<Integer> key = list(in, () -> (int) in.getVarLong());
        int nextColumnId = (int) in.getVarLong();
        List<ColumnFamily> families =
                list(
                        in,
                        () ->
                                new ColumnFamily(
                                        in.getText(), in.getText(), in.getText(), in.getText()));
        TableOptions options = options(in);
        Map<String, String> attributes = attributes(in);
        long createdMicros = in.getLong();
        Map<Integer, ByteReader> parts = parts(in);
        ByteReader indexes = parts.remove(INDEXES);
        ByteReader owner = parts.remove(OWNER);
        ByteReader setting = parts.remove(SETTING_NOT_NULL);
        ByteReader wholeFrom = parts.remove(WHOLE_FROM);
        ByteReader yt = parts.remove(YT);
        ByteReader balancer = parts.remove(BALANCER);
        if (setting != null) {
            Set<Long> ids = Set.copyOf(list(setting, setting::getVarLong));
            columns.replaceAll(
                    column -> ids.contains((long) column.id()) ? setting(column) : column);
        }
        Check.that(parts.isEmpty(), "a table description with newer parts: %s", parts.keySet());
        if (yt != null) {
            options = options.with(YtTableCodec.decode(yt));
        }
        if (balancer != null) {
            options = options.withBalancer(Optional.of(balancer(balancer)));
        }
        return new Table(
                id,
                version,
                path,
                columns,
                key,
                nextColumnId,
                families,
                options,
                attributes,
                createdMicros,
                indexes == null ? List.of() : indexes(indexes),
                owner == null ? 0 : owner.getVarLong(),
                wholeFrom == null ? 0 : wholeFrom.getLong());
    }

    private static Balancer balancer(ByteReader in) {
        int code = (int) in.getVarLong();
        return Balancer.find(code)
                .orElseThrow(() -> new IllegalStateException("the unknown balancer " + code));
    }

    private static void putColumn(ByteWriter out, Column column) {
        out.putVarLong(column.id());
        out.putText(column.name());
        putType(out, column.type());
        putFlag(out, column.notNull());
        out.putText(column.family());
        putPreset(out, column);
        putFlag(out, column.missing().isPresent());
        column.missing().ifPresent(value -> putValue(out, column.type(), value));
    }

    private static void putPreset(ByteWriter out, Column column) {
        if (column.preset().isEmpty()) {
            out.putByte(NO_PRESET);
            return;
        }
        switch (column.preset().get()) {
            case Preset.Literal(Value value) -> {
                out.putByte(LITERAL);
                putValue(out, column.type(), value);
            }
            case Preset.Generated(String expression, Preset.Language language) -> {
                out.putByte(language == Preset.Language.YQL ? GENERATED : GENERATED_IN_YT);
                out.putText(expression);
            }
            case Preset.FromSequence(Sequence sequence) -> {
                boolean described = sequence.isDescribed();
                out.putByte(described ? FROM_DESCRIBED_SEQUENCE : FROM_SEQUENCE);
                putNumbers(out, sequence);
                if (described) {
                    putDescription(out, sequence.description());
                }
            }
        }
    }

    private static void putNumbers(ByteWriter out, Sequence sequence) {
        out.putLong(sequence.id());
        out.putLong(sequence.start());
        out.putLong(sequence.increment());
        out.putLong(sequence.min());
        out.putLong(sequence.max());
    }

    private static Sequence numbers(ByteReader in) {
        return new Sequence(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    private static void putDescription(ByteWriter out, Sequence.Description description) {
        out.putText(description.name());
        out.putLong(description.cache());
        out.putLong(description.max());
        putFlag(out, description.cycles());
    }

    private static Sequence described(ByteReader in) {
        Sequence plain = numbers(in);
        return new Sequence(
                plain.id(),
                plain.start(),
                plain.increment(),
                plain.min(),
                plain.max(),
                new Sequence.Description(in.getText(), in.getLong(), in.getLong(), flag(in)));
    }

    private static Optional<Preset> preset(ByteReader in, Type type) {
        byte kind = in.getByte();
        return switch (kind) {
            case NO_PRESET -> Optional.empty();
            case LITERAL -> Optional.of(new Preset.Literal(value(in, type)));
            case GENERATED -> Optional.of(new Preset.Generated(in.getText()));
            case GENERATED_IN_YT ->
                    Optional.of(new Preset.Generated(in.getText(), Preset.Language.YT));
            case FROM_SEQUENCE -> Optional.of(new Preset.FromSequence(numbers(in)));
            case FROM_DESCRIBED_SEQUENCE -> Optional.of(new Preset.FromSequence(described(in)));
            default -> throw new IllegalStateException("a preset of the unknown kind " + kind);
        };
    }

    /// A preset is never NULL, which has no encoding.
    private static void putValue(ByteWriter out, Type type, Value value) {
        out.putBytes(Bytes.wrap(FieldCodec.encode(type, value)));
    }

    private static Value value(ByteReader in, Type type) {
        Bytes cell = in.getBytes();
        return FieldCodec.decode(type, cell.array(), 0, cell.length());
    }

    private static Column column(ByteReader in, byte form) {
        int id = (int) in.getVarLong();
        String name = in.getText();
        Type type = type(in);
        boolean notNull = flag(in);
        String family = in.getText();
        Optional<Preset> preset = preset(in, type);
        Optional<Value> missing = Optional.empty();
        if (form > FIRST_FORM) {
            missing = optional(in, () -> value(in, type));
        } else if (notNull && preset.isPresent() && preset.get() instanceof Preset.Literal known) {
            // In form 1 the value could be missing only in rows older than the column, which then
            // had the preset.
            missing = Optional.of(known.value());
        }
        return new Column(id, name, type, notNull, family, preset, missing, false);
    }

    private static Column setting(Column column) {
        return new Column(
                column.id(),
                column.name(),
                column.type(),
                column.notNull(),
                column.family(),
                column.preset(),
                column.missing(),
                true);
    }

    private static void putType(ByteWriter out, Type type) {
        if (type instanceof Decimal(int precision, int scale)) {
            out.putVarLong(DECIMAL);
            out.putVarLong(precision);
            out.putVarLong(scale);
        } else {
            Check.that(type instanceof Primitive, "a column of type " + type.text());
            out.putVarLong(((Primitive) type).wireId());
        }
    }

    private static Type type(ByteReader in) {
        int id = (int) in.getVarLong();
        if (id == DECIMAL) {
            return new Decimal((int) in.getVarLong(), (int) in.getVarLong());
        }
        for (Primitive primitive : Primitive.values()) {
            if (primitive.wireId() == id) {
                return primitive;
            }
        }
        throw new IllegalStateException("a column of the unknown type " + id);
    }

    private static void putOptions(ByteWriter out, TableOptions options) {
        Partitioning partitioning = options.partitioning();
        putFlag(out, partitioning.bySize());
        out.putVarLong(partitioning.sizeMegabytes());
        putFlag(out, partitioning.byLoad());
        out.putVarLong(partitioning.minCount());
        out.putVarLong(partitioning.maxCount());
        putFlag(out, options.keyBloomFilter().isPresent());
        options.keyBloomFilter().ifPresent(enabled -> putFlag(out, enabled));
        putFlag(out, options.readReplicas().isPresent());
        options.readReplicas()
                .ifPresent(
                        replicas -> {
                            out.putText(replicas.placement().name());
                            out.putVarLong(replicas.count());
                        });
        putFlag(out, options.ttl().isPresent());
        options.ttl()
                .ifPresent(
                        ttl -> {
                            out.putText(ttl.column());
                            out.putText(ttl.unit().name());
                            out.putVarLong(ttl.expireAfterSeconds());
                            out.putVarLong(ttl.runIntervalSeconds());
                        });
    }

    private static TableOptions options(ByteReader in) {
        var partitioning =
                new Partitioning(
                        flag(in), in.getVarLong(), flag(in), in.getVarLong(), in.getVarLong());
        return new TableOptions(
                partitioning,
                optional(in, () -> flag(in)),
                optional(
                        in,
                        () ->
                                new ReadReplicas(
                                        Placement.valueOf(in.getText()), (int) in.getVarLong())),
                optional(
                        in,
                        () ->
                                new Ttl(
                                        in.getText(),
                                        TtlUnit.valueOf(in.getText()),
                                        in.getVarLong(),
                                        in.getVarLong())));
    }

    private static Map<String, String> attributes(ByteReader in) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (long left = in.getVarLong(); left > 0; left--) {
            attributes.put(in.getText(), in.getText());
        }
        return attributes;
    }

    private static void putFlag(ByteWriter out, boolean flag) {
        out.putByte((byte) (flag ? 1 : 0));
    }

    private static boolean flag(ByteReader in) {
        return in.getByte() != 0;
    }

    private static <T> Optional<T> optional(ByteReader in, Supplier<T> item) {
        return flag(in) ? Optional.of(item.get()) : Optional.empty();
    }

    private static <T> List<T> list(ByteReader in, Supplier<T> item) {
        List<T> items = new ArrayList<>();
        for (long left = in.getVarLong(); left > 0; left--) {
            items.add(item.get());
        }
        return items;
    }
}
