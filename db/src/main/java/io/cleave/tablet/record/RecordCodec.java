package io.cleave.tablet.record;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Commit;
import io.cleave.tablet.record.CellRecord.Compacted;
import io.cleave.tablet.record.CellRecord.Configure;
import io.cleave.tablet.record.CellRecord.CreateTablets;
import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.Detach;
import io.cleave.tablet.record.CellRecord.DropTablets;
import io.cleave.tablet.record.CellRecord.EraseRange;
import io.cleave.tablet.record.CellRecord.Flushed;
import io.cleave.tablet.record.CellRecord.Freeze;
import io.cleave.tablet.record.CellRecord.Ingested;
import io.cleave.tablet.record.CellRecord.Merge;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.OldState;
import io.cleave.tablet.record.CellRecord.OldTabletState;
import io.cleave.tablet.record.CellRecord.RequireVersion;
import io.cleave.tablet.record.CellRecord.Resume;
import io.cleave.tablet.record.CellRecord.Split;
import io.cleave.tablet.record.CellRecord.State;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.CellRecord.Version;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The encoding of cell records. The log verifies checksums; this class only encodes and decodes.
/// See `docs/formats/cell.md`.
///
/// ```
/// record   u8 kind, then by kind:
///   1 commit     u64 timestamp, n × (vint tablet, n × (bytes key, bytes change))
///   2 freeze     vint tablet
///   3 create     n × spec
///   4 drop       n × vint tablet
///   5 flushed    vint tablet, vint generation, n × slice
///   6 compacted  vint tablet, n × slice removed, n × slice added
///   7 state      u64 timestamp, n × (spec, vint generation, vint replayFrom, n × slice,
///                n × erase): the format before tablets could be split; read only
///   8 configure  n × vint tablet, settings
///   9 erase      u64 timestamp, vint tablet, range
///  10 ingested   u64 timestamp, vint tablet, n × slice
///  11 state      u64 timestamp, n × tablet
///  12 split      vint tablet, n × tablet
///  13 merge      n × vint tablet, tablet
///  14 detach     vint tablet, vint cell, vint epoch
///  15 resume     vint tablet, vint epoch
///  16 attach     tablet, n × (bytes key, u64 timestamp, bytes change)
///  17 to 21     see TransactionCodec
///  22 require   vint version, n × vint tablet
/// tablet   see TabletStateCodec
/// spec     vint tablet, vint table, range [, u8 127, vint minVersion], settings
/// range    bytes from, u8 hasTo [, bytes to]
/// n ×      a vint count, then that many
/// bytes    a vint length, then that many
/// ```
///
/// Little-endian; vint is unsigned LEB128. The numbers are on disk.
public final class RecordCodec {
    private static final byte COMMIT = 1;
    private static final byte FREEZE = 2;
    private static final byte CREATE = 3;
    private static final byte DROP = 4;
    private static final byte FLUSHED = 5;
    private static final byte COMPACTED = 6;
    private static final byte OLD_STATE = 7;
    private static final byte CONFIGURE = 8;
    private static final byte ERASE_RANGE = 9;
    private static final byte INGESTED = 10;
    private static final byte STATE = 11;
    private static final byte SPLIT = 12;
    private static final byte MERGE = 13;
    private static final byte DETACH = 14;
    private static final byte RESUME = 15;
    private static final byte ATTACH = 16;

    private static final byte REQUIRE_VERSION = 22;

    /// Stands where the number of the settings' format is, and is none. Earlier programs refuse it.
    private static final byte HAS_MIN_VERSION = 127;

    /// The timestamp follows the kind, so that it can be set when it is known.
    private static final int TIMESTAMP_OFFSET = 1;

    private RecordCodec() {}

    public static boolean isCommit(Bytes record) {
        return record.at(0) == COMMIT;
    }

    public static boolean isForget(Bytes record) {
        return record.at(0) == TransactionCodec.FORGET;
    }

    /// Whether the record may contain row events.
    public static boolean hasRows(Bytes record) {
        byte kind = record.at(0);
        return kind == COMMIT || kind == ATTACH || TransactionCodec.hasTimestamp(kind);
    }

    /// A commit record without its timestamp: see [#setTimestamp].
    public static byte[] encodeCommit(List<TabletWrites> writes) {
        var out = new ByteWriter(enoughFor(writes));
        writeCommit(out, 0, writes);
        return out.toArray();
    }

    /// A buffer size with which the encoder of a large commit need not grow.
    public static int enoughFor(List<TabletWrites> writes) {
        long bytes = 64;
        for (TabletWrites tablet : writes) {
            bytes += 32;
            for (KeyedChange change : tablet.changes()) {
                bytes += 8 + change.key().length() + change.change().length();
            }
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE / 2);
    }

    /// Encodes a step of a multi-cell transaction that has these writes.
    public static byte[] encode(OfTransaction record, List<TabletWrites> writes) {
        var out = new ByteWriter(enoughFor(writes));
        TransactionCodec.write(out, record);
        return out.toArray();
    }

    public static void setTimestamp(byte[] record, long timestamp) {
        Check.that(
                record[0] == COMMIT || TransactionCodec.hasTimestamp(record[0]),
                "a record of kind %d has no timestamp in this place",
                record[0]);
        ByteWriter.putLong(record, TIMESTAMP_OFFSET, timestamp);
    }

    public static Bytes encode(CellRecord record) {
        var out = new ByteWriter(128);
        switch (record) {
            case Commit(long timestamp, List<TabletWrites> writes) ->
                    writeCommit(out, timestamp, writes);
            case OfTransaction step -> TransactionCodec.write(out, step);
            case EraseRange(long timestamp, long tabletId, KeyRange range) -> {
                out.putByte(ERASE_RANGE);
                out.putLong(timestamp);
                out.putVarLong(tabletId);
                writeRange(out, range);
            }
            case Freeze(long tabletId) -> {
                out.putByte(FREEZE);
                out.putVarLong(tabletId);
            }
            case CreateTablets(List<TabletSpec> tablets) -> {
                out.putByte(CREATE);
                out.putVarLong(tablets.size());
                tablets.forEach(tablet -> writeSpec(out, tablet));
            }
            case DropTablets(List<Long> tabletIds) -> {
                out.putByte(DROP);
                out.putVarLong(tabletIds.size());
                tabletIds.forEach(out::putVarLong);
            }
            case Configure(List<Long> tabletIds, TreeSettings settings) -> {
                out.putByte(CONFIGURE);
                out.putVarLong(tabletIds.size());
                tabletIds.forEach(out::putVarLong);
                settings.writeTo(out);
            }
            case RequireVersion(long version, List<Long> tabletIds) -> {
                out.putByte(REQUIRE_VERSION);
                out.putVarLong(version);
                out.putVarLong(tabletIds.size());
                tabletIds.forEach(out::putVarLong);
            }
            case Flushed(long tabletId, long generation, List<Slice> slices) -> {
                out.putByte(FLUSHED);
                out.putVarLong(tabletId);
                out.putVarLong(generation);
                writeSlices(out, slices);
            }
            case Ingested(long timestamp, long tabletId, List<Slice> slices) -> {
                out.putByte(INGESTED);
                out.putLong(timestamp);
                out.putVarLong(tabletId);
                writeSlices(out, slices);
            }
            case OldState _ -> throw new IllegalStateException("is not written any more");
            case Compacted(long tabletId, List<Slice> removed, List<Slice> added) -> {
                out.putByte(COMPACTED);
                out.putVarLong(tabletId);
                writeSlices(out, removed);
                writeSlices(out, added);
            }
            case State(long timestamp, List<TabletState> tablets) -> {
                out.putByte(STATE);
                out.putLong(timestamp);
                TabletStateCodec.write(out, tablets);
            }
            case Split(long tabletId, List<TabletState> children) -> {
                out.putByte(SPLIT);
                out.putVarLong(tabletId);
                TabletStateCodec.write(out, children);
            }
            case Merge(List<Long> tabletIds, TabletState merged) -> {
                out.putByte(MERGE);
                out.putVarLong(tabletIds.size());
                tabletIds.forEach(out::putVarLong);
                TabletStateCodec.write(out, merged);
            }
            case Detach(long tabletId, Departure departure) -> {
                out.putByte(DETACH);
                out.putVarLong(tabletId);
                out.putVarLong(departure.cellId());
                out.putVarLong(departure.epoch());
            }
            case Resume(long tabletId, long epoch) -> {
                out.putByte(RESUME);
                out.putVarLong(tabletId);
                out.putVarLong(epoch);
            }
            case Attach(TabletState tablet, List<Version> tail) -> {
                out.putByte(ATTACH);
                TabletStateCodec.write(out, tablet);
                out.putVarLong(tail.size());
                for (Version version : tail) {
                    out.putBytes(version.key());
                    out.putLong(version.timestamp());
                    out.putBytes(version.change());
                }
            }
        }
        return Bytes.wrap(out.toArray());
    }

    public static CellRecord decode(Bytes record) {
        var in = new ByteReader(record.array(), 0, record.length());
        byte kind = in.getByte();
        return switch (kind) {
            case COMMIT -> new Commit(in.getLong(), readAllWrites(in));
            case TransactionCodec.PREPARE -> TransactionCodec.readPrepare(in);
            case TransactionCodec.DECIDE -> TransactionCodec.readDecide(in);
            case TransactionCodec.OUTCOME -> TransactionCodec.readOutcome(in);
            case TransactionCodec.FORGET -> TransactionCodec.readForget(in);
            case TransactionCodec.TRANSACTIONS -> TransactionCodec.readTransactions(in);
            case ERASE_RANGE -> new EraseRange(in.getLong(), in.getVarLong(), readRange(in));
            case FREEZE -> new Freeze(in.getVarLong());
            case CREATE -> new CreateTablets(list(in, () -> readSpec(in)));
            case DROP -> new DropTablets(list(in, in::getVarLong));
            case CONFIGURE -> new Configure(list(in, in::getVarLong), TreeSettings.readFrom(in));
            case REQUIRE_VERSION -> new RequireVersion(in.getVarLong(), list(in, in::getVarLong));
            case FLUSHED -> new Flushed(in.getVarLong(), in.getVarLong(), readSlices(in));
            case INGESTED -> new Ingested(in.getLong(), in.getVarLong(), readSlices(in));
            case COMPACTED -> new Compacted(in.getVarLong(), readSlices(in), readSlices(in));
            case STATE -> new State(in.getLong(), list(in, () -> TabletStateCodec.read(in)));
            case SPLIT -> new Split(in.getVarLong(), list(in, () -> TabletStateCodec.read(in)));
            case MERGE -> new Merge(list(in, in::getVarLong), TabletStateCodec.read(in));
            case DETACH ->
                    new Detach(in.getVarLong(), new Departure(in.getVarLong(), in.getVarLong()));
            case RESUME -> new Resume(in.getVarLong(), in.getVarLong());
            case ATTACH ->
                    new Attach(
                            TabletStateCodec.read(in),
                            list(
                                    in,
                                    () -> new Version(in.getBytes(), in.getLong(), in.getBytes())));
            case OLD_STATE ->
                    new OldState(
                            in.getLong(),
                            list(
                                    in,
                                    () ->
                                            new OldTabletState(
                                                    readSpec(in),
                                                    in.getVarLong(),
                                                    in.getVarLong(),
                                                    readSlices(in),
                                                    list(in, () -> RangeErase.readFrom(in)))));
            default ->
                    throw new IllegalStateException(
                            "a cell record of kind " + kind + ", which a newer version wrote");
        };
    }

    private static void writeCommit(ByteWriter out, long timestamp, List<TabletWrites> writes) {
        out.putByte(COMMIT);
        out.putLong(timestamp);
        writeWrites(out, writes);
    }

    static void writeWrites(ByteWriter out, List<TabletWrites> writes) {
        out.putVarLong(writes.size());
        for (TabletWrites tablet : writes) {
            out.putVarLong(tablet.tabletId());
            out.putVarLong(tablet.changes().size());
            for (KeyedChange change : tablet.changes()) {
                out.putBytes(change.key());
                out.putBytes(change.change());
            }
        }
    }

    static List<TabletWrites> readAllWrites(ByteReader in) {
        return list(in, () -> readWrites(in));
    }

    private static TabletWrites readWrites(ByteReader in) {
        long tabletId = in.getVarLong();
        return new TabletWrites(
                tabletId, list(in, () -> new KeyedChange(in.getBytes(), in.getBytes())));
    }

    static void writeSpec(ByteWriter out, TabletSpec spec) {
        out.putVarLong(spec.tabletId());
        out.putVarLong(spec.tableId());
        writeRange(out, spec.range());
        if (spec.minVersion() > 0) {
            out.putByte(HAS_MIN_VERSION);
            out.putVarLong(spec.minVersion());
        }
        spec.settings().writeTo(out);
    }

    static void writeRange(ByteWriter out, KeyRange range) {
        out.putBytes(range.from());
        Bytes to = range.to();
        out.putByte((byte) (to == null ? 0 : 1));
        if (to != null) {
            out.putBytes(to);
        }
    }

    static KeyRange readRange(ByteReader in) {
        Bytes from = in.getBytes();
        @Nullable Bytes to = in.getByte() == 0 ? null : in.getBytes();
        return new KeyRange(from, to);
    }

    static TabletSpec readSpec(ByteReader in) {
        long tabletId = in.getVarLong();
        long tableId = in.getVarLong();
        KeyRange range = readRange(in);
        long minVersion = 0;
        if (in.peekByte() == HAS_MIN_VERSION) {
            in.skip(1);
            minVersion = in.getVarLong();
        }
        return new TabletSpec(tabletId, tableId, range, TreeSettings.readFrom(in))
                .requiring(minVersion);
    }

    static void writeSlices(ByteWriter out, List<Slice> slices) {
        out.putVarLong(slices.size());
        slices.forEach(slice -> slice.writeTo(out));
    }

    static List<Slice> readSlices(ByteReader in) {
        return list(in, () -> Slice.readFrom(in));
    }

    static <T> List<T> list(ByteReader in, Supplier<T> item) {
        int count = Math.toIntExact(in.getVarLong());
        List<T> items = new ArrayList<>(Math.min(count, 1024));
        for (int index = 0; index < count; index++) {
            items.add(item.get());
        }
        return items;
    }
}
