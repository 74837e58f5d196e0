package io.cleave.tablet.record;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.lsm.row.RangeErase;
import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.TabletState;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The encoding of a tablet in a cell's record.
///
/// ```
/// tablet    spec, vint epoch, vint generation, n × memtable, vint activeFrom, n × slice,
///           n × erase, u8 departs [, vint cell, vint epoch]
/// memtable  vint generation, n × (vint tablet, vint from, vint to, range)
/// ```
///
/// All other types are as in [RecordCodec].
final class TabletStateCodec {
    private TabletStateCodec() {}

    static void write(ByteWriter out, List<TabletState> tablets) {
        out.putVarLong(tablets.size());
        tablets.forEach(tablet -> write(out, tablet));
    }

    static void write(ByteWriter out, TabletState tablet) {
        RecordCodec.writeSpec(out, tablet.spec());
        out.putVarLong(tablet.spec().epoch());
        out.putVarLong(tablet.lastGeneration());
        out.putVarLong(tablet.frozen().size());
        for (Unflushed memtable : tablet.frozen()) {
            out.putVarLong(memtable.generation());
            out.putVarLong(memtable.feeds().size());
            for (Feed feed : memtable.feeds()) {
                out.putVarLong(feed.tabletId());
                out.putVarLong(feed.from());
                out.putVarLong(feed.to());
                RecordCodec.writeRange(out, feed.range());
            }
        }
        out.putVarLong(tablet.activeFrom());
        RecordCodec.writeSlices(out, tablet.slices());
        out.putVarLong(tablet.erases().size());
        tablet.erases().forEach(erase -> erase.writeTo(out));
        Departure departure = tablet.departure();
        out.putByte((byte) (departure == null ? 0 : 1));
        if (departure != null) {
            out.putVarLong(departure.cellId());
            out.putVarLong(departure.epoch());
        }
    }

    static TabletState read(ByteReader in) {
        return new TabletState(
                RecordCodec.readSpec(in).inEpoch(in.getVarLong()),
                in.getVarLong(),
                RecordCodec.list(in, () -> memtable(in)),
                in.getVarLong(),
                RecordCodec.readSlices(in),
                RecordCodec.list(in, () -> RangeErase.readFrom(in)),
                departure(in));
    }

    private static Unflushed memtable(ByteReader in) {
        return new Unflushed(in.getVarLong(), RecordCodec.list(in, () -> feed(in)));
    }

    private static Feed feed(ByteReader in) {
        return new Feed(
                in.getVarLong(), in.getVarLong(), in.getVarLong(), RecordCodec.readRange(in));
    }

    private static @Nullable Departure departure(ByteReader in) {
        return in.getByte() == 0 ? null : new Departure(in.getVarLong(), in.getVarLong());
    }
}
