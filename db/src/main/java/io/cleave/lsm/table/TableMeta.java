package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.lsm.row.KeyHistogram;
import io.cleave.lsm.row.KeySample;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The metadata of a table file, except for its index: the last block before the footer.
///
/// ```
/// varint  index_offset, varint index_length
/// varint  filter_offset, varint filter_length    both 0: no filter
/// varint  number of companions, and of each:     blobs with the blocks of families on other media
///   its identity: see TableIdentity              in format 1 a varint, its id
/// varint  number of column families, and of each:
///   the family: see StoredFamily
///   varint  where its blocks are                 0 this file, n companion n - 1
/// statistics: see TableStatistics
/// histogram: see KeyHistogram
/// u8      0                                      older files end here, or with their expiry
/// garbage:
///   varint  erase_bytes                          estimated bytes of ERASE entries, uncompressed
///   sample of its keys: see KeySample
/// u8      1 if rows expire, else 0
/// expiry: see Expiry                             only if rows expire; what the statistics go by
/// ```
///
/// In older files the expiry follows the histogram directly, or the block ends there. The expiry
/// begins with a column number, which is never 0.
///
/// @param families the column families at the time the file was written; if there is only one,
///   fields are stored with the keys
/// @param garbage null in older files
public record TableMeta(
        Part index,
        Part filter,
        List<Companion> companions,
        List<StoredFamily> families,
        List<Integer> places,
        TableStatistics statistics,
        KeyHistogram histogram,
        @Nullable Expiry expiry,
        @Nullable Garbage garbage) {
    /// @param identity null in format 1
    record Companion(long blobId, @Nullable TableIdentity identity) {
        Companion(TableIdentity identity) {
            this(identity.blobId(), identity);
        }

        private void writeTo(ByteWriter out) {
            TableIdentity known = identity;
            if (known == null) {
                throw new IllegalStateException("a companion without an identity");
            }
            known.writeTo(out);
        }

        private static Companion readFrom(ByteReader in, int format) {
            return format == Footer.OLD_FORMAT
                    ? new Companion(in.getVarLong(), null)
                    : new Companion(TableIdentity.readFrom(in));
        }
    }

    /// How much of the file is garbage, and a sample that tells what it makes garbage in older
    /// files.
    public record Garbage(long eraseBytes, KeySample sample) {
        private void writeTo(ByteWriter out) {
            out.putVarLong(eraseBytes);
            sample.writeTo(out);
        }

        private static Garbage readFrom(ByteReader in) {
            return new Garbage(in.getVarLong(), KeySample.readFrom(in));
        }
    }

    /// Marks that the garbage part follows; older files have their expiry here, or nothing.
    private static final byte WITH_GARBAGE = 0;

    /// A piece of the file.
    record Part(long offset, int length) {
        static final Part NONE = new Part(0, 0);

        private void writeTo(ByteWriter out) {
            out.putVarLong(offset);
            out.putVarInt(length);
        }

        private static Part readFrom(ByteReader in) {
            return new Part(in.getVarLong(), in.getVarInt());
        }
    }

    public TableMeta {
        companions = List.copyOf(companions);
        families = List.copyOf(families);
        places = List.copyOf(places);
    }

    ByteWriter encode() {
        var out = new ByteWriter(1 << 10);
        index.writeTo(out);
        filter.writeTo(out);
        out.putVarInt(companions.size());
        companions.forEach(companion -> companion.writeTo(out));
        out.putVarInt(families.size());
        for (int family = 0; family < families.size(); family++) {
            families.get(family).writeTo(out);
            out.putVarInt(places.get(family));
        }
        statistics.writeTo(out);
        histogram.writeTo(out);
        if (garbage != null) {
            out.putByte(WITH_GARBAGE);
            garbage.writeTo(out);
            out.putByte((byte) (expiry == null ? 0 : 1));
        }
        if (expiry != null) {
            expiry.writeTo(out);
        }
        return out;
    }

    /// The bytes must have passed their checksum.
    static TableMeta decode(byte[] encoded, int format) {
        var in = new ByteReader(encoded, 0, encoded.length);
        Part index = Part.readFrom(in);
        Part filter = Part.readFrom(in);
        List<Companion> companions = new ArrayList<>();
        for (int left = in.getVarInt(); left > 0; left--) {
            companions.add(Companion.readFrom(in, format));
        }
        List<StoredFamily> families = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int left = in.getVarInt(); left > 0; left--) {
            families.add(StoredFamily.readFrom(in));
            places.add(in.getVarInt());
        }
        TableStatistics statistics = TableStatistics.readFrom(in);
        KeyHistogram histogram = KeyHistogram.readFrom(in);
        Garbage garbage = null;
        if (in.hasMore() && encoded[in.offset()] == WITH_GARBAGE) {
            in.skip(1);
            garbage = Garbage.readFrom(in);
        }
        boolean expires = garbage == null ? in.hasMore() : in.getByte() == 1;
        return new TableMeta(
                index,
                filter,
                companions,
                families,
                places,
                statistics,
                histogram,
                expires ? Expiry.readFrom(in) : null,
                garbage);
    }
}
