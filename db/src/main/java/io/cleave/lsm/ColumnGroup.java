package io.cleave.lsm;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Check;

import java.util.ArrayList;
import java.util.List;

/// Columns that are stored together.
///
/// @param columns ascending; of the first group of a tree they are not listed, for it has all that
///   no other group names
/// @param medium where its blocks lie: a name the blob store knows, empty for its default
public record ColumnGroup(
        String name,
        List<Integer> columns,
        Compression compression,
        String medium,
        CacheMode cacheMode) {
    /// What is kept in memory, beside what the block cache happens to hold.
    public enum CacheMode {
        REGULAR(0),
        /// All blocks as they are on disk.
        PINNED_COMPRESSED(1),
        /// All blocks, ready to read.
        PINNED(2);

        /// On disk.
        final byte code;

        CacheMode(int code) {
            this.code = (byte) code;
        }

        static CacheMode of(int code) {
            return switch (code) {
                case 0 -> REGULAR;
                case 1 -> PINNED_COMPRESSED;
                case 2 -> PINNED;
                default -> throw new IllegalStateException("cache mode " + code);
            };
        }
    }

    /// The only group of most trees.
    public static final ColumnGroup DEFAULT =
            new ColumnGroup("default", List.of(), Compression.NONE, "", CacheMode.REGULAR);

    public ColumnGroup {
        columns = List.copyOf(columns);
        for (int index = 1; index < columns.size(); index++) {
            Check.that(columns.get(index - 1) < columns.get(index), "columns must ascend");
        }
    }

    public void writeTo(ByteWriter out) {
        out.putText(name);
        out.putVarLong(columns.size());
        columns.forEach(out::putVarLong);
        out.putByte(compression.code);
        out.putText(medium);
        out.putByte(cacheMode.code);
    }

    /// The bytes are expected to be right: whoever stored them kept a checksum.
    public static ColumnGroup readFrom(ByteReader in) {
        String name = in.getText();
        int count = (int) in.getVarLong();
        List<Integer> columns = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            columns.add((int) in.getVarLong());
        }
        return new ColumnGroup(
                name,
                columns,
                Compression.of(in.getByte()),
                in.getText(),
                CacheMode.of(in.getByte()));
    }
}
