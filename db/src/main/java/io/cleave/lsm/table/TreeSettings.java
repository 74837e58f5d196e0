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
public record TreeSettings(
        List<StoredFamily> families, boolean keyFilter, @Nullable Expiry expiry) {
    private static final byte FORMAT = 1;

    public static final TreeSettings DEFAULT =
            new TreeSettings(List.of(StoredFamily.DEFAULT), false, null);

    public TreeSettings {
        families = List.copyOf(families);
        Check.that(!families.isEmpty(), "a tree without a default family");
        Check.that(families.getFirst().columns().isEmpty(), "the default family lists no columns");
    }

    public void writeTo(ByteWriter out) {
        out.putByte(FORMAT);
        out.putVarLong(families.size());
        families.forEach(family -> family.writeTo(out));
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
        List<StoredFamily> families = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            families.add(StoredFamily.readFrom(in));
        }
        boolean keyFilter = in.getByte() != 0;
        return new TreeSettings(
                families, keyFilter, in.getByte() == 0 ? null : Expiry.readFrom(in));
    }
}
