package io.cleave.lsm;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// How a tree stores its rows, as the table's owner wants it. Files keep what they were written
/// with; a change takes effect when they are written anew.
///
/// @param groups the first is the default group; a column stands in at most one of the others
/// @param keyFilter whether files carry a filter that tells which keys are not in them
/// @param expiry when rows expire, for the files' statistics; null if they do not
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

    /// The bytes are expected to be right: whoever stored them kept a checksum.
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
