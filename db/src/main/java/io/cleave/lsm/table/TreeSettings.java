package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The storage settings that the table's owner chooses. Existing files keep the settings they were
/// written with; a change takes effect when they are rewritten.
///
/// @param families the first is the default family; a column is in at most one of the others
/// @param keyFilter whether files have a Bloom filter
/// @param expiry when rows expire, for the statistics of files; null if rows do not expire
/// @param historyMicros how long versions are kept after newer ones have replaced them, for reads
///   of the past
/// @param historyFrom the timestamp before which versions may be missing, although they are younger
///   than `historyMicros`: the tree kept less when it removed them
public record TreeSettings(
        List<StoredFamily> families,
        boolean keyFilter,
        @Nullable Expiry expiry,
        long historyMicros,
        long historyFrom) {
    private static final byte FORMAT = 1;

    /// With the two numbers of the history at the end. Trees without a history are written in the
    /// first format.
    private static final byte FORMAT_WITH_HISTORY = 2;

    public static final TreeSettings DEFAULT =
            new TreeSettings(List.of(StoredFamily.DEFAULT), false, null);

    /// Settings of a tree that keeps no history.
    public TreeSettings(List<StoredFamily> families, boolean keyFilter, @Nullable Expiry expiry) {
        this(families, keyFilter, expiry, 0, 0);
    }

    public TreeSettings {
        families = List.copyOf(families);
        Check.that(!families.isEmpty(), "a tree without a default family");
        Check.that(families.getFirst().columns().isEmpty(), "the default family lists no columns");
    }

    public void writeTo(ByteWriter out) {
        boolean hasHistory = historyMicros != 0 || historyFrom != 0;
        out.putByte(hasHistory ? FORMAT_WITH_HISTORY : FORMAT);
        out.putVarLong(families.size());
        families.forEach(family -> family.writeTo(out));
        out.putByte((byte) (keyFilter ? 1 : 0));
        out.putByte((byte) (expiry == null ? 0 : 1));
        if (expiry != null) {
            expiry.writeTo(out);
        }
        if (hasHistory) {
            out.putVarLong(historyMicros);
            out.putVarLong(historyFrom);
        }
    }

    /// Does not check for damage: the caller must have verified the checksum of the bytes.
    public static TreeSettings readFrom(ByteReader in) {
        byte format = in.getByte();
        Check.that(
                format == FORMAT || format == FORMAT_WITH_HISTORY, "settings of format %d", format);
        int count = (int) in.getVarLong();
        List<StoredFamily> families = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            families.add(StoredFamily.readFrom(in));
        }
        boolean keyFilter = in.getByte() != 0;
        Expiry expiry = in.getByte() == 0 ? null : Expiry.readFrom(in);
        return format == FORMAT
                ? new TreeSettings(families, keyFilter, expiry)
                : new TreeSettings(families, keyFilter, expiry, in.getVarLong(), in.getVarLong());
    }

    /// The settings of a tree that keeps this much history. It has all versions.
    public TreeSettings keeping(long micros) {
        return new TreeSettings(families, keyFilter, expiry, micros, historyFrom);
    }

    /// These settings for a tree that had others before. If it kept less history, versions before
    /// `timestamp`, the newest of the tree, may be missing.
    public TreeSettings after(TreeSettings before, long timestamp) {
        long from =
                historyMicros > before.historyMicros
                        ? Math.max(timestamp, before.historyFrom)
                        : before.historyFrom;
        return new TreeSettings(families, keyFilter, expiry, historyMicros, from);
    }

    /// The settings of a tree with the rows of trees that have these settings.
    public static TreeSettings merged(List<TreeSettings> neighbours) {
        TreeSettings first = neighbours.getFirst();
        long from = neighbours.stream().mapToLong(TreeSettings::historyFrom).max().orElse(0);
        return new TreeSettings(
                first.families, first.keyFilter, first.expiry, first.historyMicros, from);
    }

    /// Whether a table that wants `wanted` has it here.
    public boolean satisfies(TreeSettings wanted) {
        return equals(
                new TreeSettings(
                        wanted.families,
                        wanted.keyFilter,
                        wanted.expiry,
                        wanted.historyMicros,
                        historyFrom));
    }

    /// The oldest timestamp that can still be read when `visible` is the newest.
    public long retained(long visible) {
        return Math.max(historyFrom, visible - historyMicros);
    }
}
