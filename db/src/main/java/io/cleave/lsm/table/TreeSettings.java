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
/// @param groups the first is the default group; a column is in at most one of the others
/// @param keyFilter whether files have a Bloom filter
/// @param expiry when rows expire, for the statistics of files; null if rows do not expire
public record TreeSettings(List<ColumnGroup> groups, boolean keyFilter, @Nullable Expiry expiry) {
    private static final byte FORMAT = 1;

    public static final TreeSettings DEFAULT =
            new TreeSettings(List.of(ColumnGroup.DEFAULT), false, null);

    public TreeSettings {
        groups = List.copyOf(groups);
        Check.that(!groups.isEmpty(), "a tree without a default group");
        Check.that(groups.getFirst().columns().isEmpty(), "the default group lists no columns");
    }

    public void writeTo(ByteWriter out) {
        out.putByte(FORMAT);
        out.putVarLong(groups.size());
        groups.forEach(group -> group.writeTo(out));
        out.putByte((byte) (keyFilter ? 1 : 0));
        out.putByte((byte) (expiry == null ? 0 : 1));
        if (expiry != null) {
            expiry.writeTo(out);
        }
    }

    /// Does not check for damage: the caller must have verified the checksum of the bytes.
    public static TreeSettings readFrom(ByteReader in) {
        byte format = in.getByte();
        Check.that(format == FORMAT, "settings of format %d", format);
        int count = (int) in.getVarLong();
        List<ColumnGroup> groups = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            groups.add(ColumnGroup.readFrom(in));
        }
        boolean keyFilter = in.getByte() != 0;
        return new TreeSettings(groups, keyFilter, in.getByte() == 0 ? null : Expiry.readFrom(in));
    }
}
