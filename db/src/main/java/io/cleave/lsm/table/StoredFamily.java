package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Check;

import java.util.ArrayList;
import java.util.List;

/// Columns that are stored together.
///
/// @param columns ascending. The first family of a tree lists none: it has all columns that no
///   other family lists
/// @param medium the storage medium of its blocks: a name that the blob store knows, or empty for
///   the default medium
public record StoredFamily(
        String name,
        List<Integer> columns,
        Compression compression,
        String medium,
        CacheMode cacheMode) {
    /// Which blocks are kept in memory in addition to those in the block cache.
    public enum CacheMode {
        REGULAR(0),
        /// All blocks, as stored on disk.
        PINNED_COMPRESSED(1),
        /// All blocks, uncompressed and parsed.
        PINNED(2);

        /// The number on disk.
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

    /// The only family of most trees.
    public static final StoredFamily DEFAULT =
            new StoredFamily("default", List.of(), Compression.NONE, "", CacheMode.REGULAR);

    public StoredFamily {
        columns = List.copyOf(columns);
        for (int index = 1; index < columns.size(); index++) {
            Check.that(columns.get(index - 1) < columns.get(index), "columns must ascend");
        }
    }

    void writeTo(ByteWriter out) {
        out.putText(name);
        out.putVarLong(columns.size());
        columns.forEach(out::putVarLong);
        out.putByte(compression.code);
        out.putText(medium);
        out.putByte(cacheMode.code);
    }

    /// Does not check for damage: the caller must have verified the checksum of the bytes.
    static StoredFamily readFrom(ByteReader in) {
        String name = in.getText();
        int count = (int) in.getVarLong();
        List<Integer> columns = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            columns.add((int) in.getVarLong());
        }
        return new StoredFamily(
                name,
                columns,
                Compression.of(in.getByte()),
                in.getText(),
                CacheMode.of(in.getByte()));
    }
}
