package io.cleave.lsm.table;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.blob.BlobStore;
import io.cleave.lsm.row.Fields;
import io.cleave.lsm.row.FieldsWriter;
import io.cleave.lsm.row.KeySampler;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Writes one table file from versions in their final order: see docs/formats/table.md.
///
/// ```
/// key blocks and blocks of column families, as they get full   KeyBlock, Fields, in the frame of BlockCodec
/// filter block                                               KeyFilter
/// index block                                                TableIndex
/// meta block                                                 TableMeta
/// footer                                                     Footer
/// ```
///
/// Families on another medium than the default family have their blocks in a companion: a blob with
/// only blocks and a footer, which the meta block names.
final class TableWriter implements AutoCloseable {
    /// The estimated size of an ERASE in a key block, without the bytes of its key.
    private static final int ERASE_HEAD_BYTES = 8;

    private final BlobStore store;
    private final BlockCodec.Encoder codec;
    private final LsmOptions options;
    private final TreeSettings settings;

    /// By medium. The first blob, on the default family's medium, is the table itself.
    private final Map<String, TableBlob> blobs = new LinkedHashMap<>();

    private final TableBlob main;
    private final KeyBlockWriter keys;
    private final TableIndex.Writer index = new TableIndex.Writer();

    /// One writer for each family. If there is only one family, its fields are stored with the
    /// keys.
    private final List<FieldsWriter> fields = new ArrayList<>();

    private final List<FamilyIndex.Writer> familyIndexes = new ArrayList<>();
    private final FamilyLayout layout;
    private final boolean apart;
    private final long[] familyBytes;
    private int[] familyOfField = new int[8];
    private final KeyFilter.@Nullable Writer filter;
    private final KeySampler sampler = new KeySampler();

    /// The sampled keys whose newest version is an ERASE.
    private final Set<Integer> erasedPlaces = new HashSet<>();

    private final HistogramWriter histogram = new HistogramWriter();
    private final ByteWriter block;

    private final List<TableMeta.Companion> sealedCompanions = new ArrayList<>();
    private final long cellId;
    private @Nullable TableIdentity identity;

    private byte[] lastKey = new byte[64];
    private int lastKeyBytes;
    private Bytes firstKey = Bytes.EMPTY;
    private long rows;
    private long versions;
    private long erases;
    private long eraseBytes;
    private long writtenBytes;
    private long rawBytes;
    private long keyBytes;
    private long minTimestamp = Long.MAX_VALUE;
    private long maxTimestamp = Long.MIN_VALUE;
    private long earliestExpiry = Expiry.NEVER;
    private long latestExpiry = Long.MIN_VALUE;

    /// `cellId` is the cell that the table is written for.
    TableWriter(
            BlobStore store,
            BlockCodec codec,
            LsmOptions options,
            TreeSettings settings,
            long cellId) {
        this.store = store;
        this.cellId = cellId;
        this.codec = codec.new Encoder();
        this.options = options;
        this.settings = settings;
        int blockBytes = options.blockBytes();
        keys = new KeyBlockWriter(options.restartKeys(), blockBytes);
        block = new ByteWriter(blockBytes + blockBytes / 4);
        layout = new FamilyLayout(settings.families());
        apart = settings.families().size() > 1;
        familyBytes = new long[apart ? settings.families().size() : 0];
        filter = settings.keyFilter() ? new KeyFilter.Writer() : null;
        try {
            for (StoredFamily family : settings.families()) {
                fields.add(new FieldsWriter(blockBytes));
                if (apart) {
                    familyIndexes.add(new FamilyIndex.Writer());
                }
                blobs.computeIfAbsent(
                        family.medium(), medium -> new TableBlob(store.create(medium)));
            }
            main = blobs.values().iterator().next();
        } catch (RuntimeException e) {
            blobs.values().forEach(TableBlob::close);
            throw e;
        }
    }

    /// Adds a version. Keys must ascend; the versions of one key follow each other, newest first.
    void add(byte[] key, int length, long timestamp, RowChange.Kind kind, Row row) {
        boolean first = versions == 0;
        int common = first ? 0 : Keys.common(lastKey, lastKeyBytes, key, length);
        boolean sameKey = !first && common == length && common == lastKeyBytes;
        if (!first && !sameKey) {
            boolean ascends =
                    common < length
                            && (common == lastKeyBytes
                                    || (lastKey[common] & 0xFF) < (key[common] & 0xFF));
            Check.that(ascends, "keys must ascend");
        }
        if (isFull()) {
            endKeyBlock(sameKey ? lastKey() : separator(key, length, common), sameKey);
        }
        if (!sameKey) {
            beginKey(key, length, kind);
        }
        keys.add(key, length, common, sameKey, timestamp, kind);
        addFields(kind == RowChange.Kind.ERASE ? Row.NONE : row);
        if (kind == RowChange.Kind.ERASE) {
            erases++;
            eraseBytes += length - common + ERASE_HEAD_BYTES;
        } else {
            countExpiry(row);
        }
        versions++;
        minTimestamp = Math.min(minTimestamp, timestamp);
        maxTimestamp = Math.max(maxTimestamp, timestamp);
    }

    private void beginKey(byte[] key, int length, RowChange.Kind kind) {
        if (lastKey.length < length) {
            lastKey = new byte[length * 2];
        }
        System.arraycopy(key, 0, lastKey, 0, length);
        lastKeyBytes = length;
        if (versions == 0) {
            firstKey = lastKeyAsBytes();
            histogram.begin(firstKey);
        }
        if (filter != null) {
            filter.add(key, length);
        }
        long hash = Keys.hash(key, length);
        if (sampler.takes(hash)) {
            sampler.add(hash, (int) versions);
            if (kind == RowChange.Kind.ERASE) {
                erasedPlaces.add((int) versions);
            }
        }
        if (kind != RowChange.Kind.ERASE) {
            rows++;
        }
    }

    private void addFields(Row row) {
        if (!apart) {
            fields.getFirst().add(row, null, 0);
            return;
        }
        if (familyOfField.length < row.count) {
            familyOfField = new int[row.count * 2];
        }
        for (int index = 0; index < row.count; index++) {
            familyOfField[index] = layout.familyOf(row.columns[index]);
        }
        for (int family = 0; family < fields.size(); family++) {
            FieldsWriter writer = fields.get(family);
            writer.add(row, familyOfField, family);
            if (writer.bytes() >= options.blockBytes() || writer.isFull()) {
                endFamilyBlock(family);
            }
        }
    }

    private void countExpiry(Row row) {
        Expiry expiry = settings.expiry();
        if (expiry != null) {
            int field = row.fieldIndex(expiry.column());
            long micros =
                    field < 0
                            ? Expiry.NEVER
                            : expiry.micros(row.data(field), row.from(field), row.to(field));
            earliestExpiry = Math.min(earliestExpiry, micros);
            latestExpiry = Math.max(latestExpiry, micros);
        }
    }

    private boolean isFull() {
        int bytes = keys.bytes() + (apart ? 0 : fields.getFirst().bytes());
        return bytes >= options.blockBytes()
                || keys.rows() == Fields.MAX_ROWS
                || (!apart && fields.getFirst().isFull());
    }

    private byte[] lastKey() {
        return Arrays.copyOf(lastKey, lastKeyBytes);
    }

    private Bytes lastKeyAsBytes() {
        return Bytes.copyOf(lastKey, 0, lastKeyBytes);
    }

    /// A separator as short as possible, because the index stays in memory; see [TableIndex].
    private byte[] separator(byte[] next, int nextBytes, int common) {
        int enough = common + 1;
        boolean shorter = enough < lastKeyBytes && enough < nextBytes;
        return shorter ? Arrays.copyOf(next, enough) : lastKey();
    }

    private void endKeyBlock(byte[] separator, boolean goesOn) {
        int blockRows = keys.rows();
        keys.finish(block, apart ? null : fields.getFirst());
        long offset = main.offset();
        int length = writeBlock(main, settings.families().getFirst().compression());
        keyBytes += length;
        index.add(separator, offset, length, blockRows, goesOn);
        if (!goesOn) {
            histogram.add(separator, rows, bytes());
        }
    }

    private void endFamilyBlock(int family) {
        int blockRows = fields.get(family).rows();
        fields.get(family).finish(block);
        StoredFamily settingsOf = settings.families().get(family);
        TableBlob blob = blobOf(settingsOf);
        long offset = blob.offset();
        int length = writeBlock(blob, settingsOf.compression());
        familyBytes[family] += length;
        familyIndexes.get(family).add(offset, length, blockRows);
    }

    private TableBlob blobOf(StoredFamily family) {
        TableBlob blob = blobs.get(family.medium());
        if (blob == null) {
            throw new IllegalStateException("no blob on " + family.medium());
        }
        return blob;
    }

    /// Writes what is in `block` and empties it.
    private int writeBlock(TableBlob blob, Compression compression) {
        rawBytes += block.length();
        int length = write(blob, block, compression);
        block.clear();
        return length;
    }

    private int write(TableBlob blob, ByteWriter raw, Compression compression) {
        ByteBuffer encoded = codec.encode(raw, compression);
        int length = encoded.remaining();
        blob.write(encoded);
        writtenBytes += length;
        return length;
    }

    long blobId() {
        return main.id();
    }

    /// The identity of the finished table.
    TableIdentity identity() {
        TableIdentity known = identity;
        if (known == null) {
            throw new IllegalStateException("the table is not finished");
        }
        return known;
    }

    /// Bytes written so far, without the blocks that are being filled.
    long bytes() {
        return writtenBytes;
    }

    /// Writes the remaining blocks and seals the blobs: the companions first, then the table that
    /// names them.
    TableStatistics finish() {
        Check.that(versions > 0, "a table without versions");
        endKeyBlock(lastKey(), false);
        for (int family = 0; apart && family < fields.size(); family++) {
            if (fields.get(family).rows() > 0) {
                endFamilyBlock(family);
            }
        }
        for (TableBlob blob : blobs.values()) {
            if (blob.id() != main.id()) {
                sealedCompanions.add(new TableMeta.Companion(blob.seal(cellId)));
                writtenBytes += Footer.BYTES;
            }
        }
        TableMeta.Part filterPart = writeFilter();
        TableMeta.Part indexPart = writePart(index.finish(familyIndexes), Compression.LZ4);
        var statistics =
                new TableStatistics(
                        rows,
                        versions,
                        erases,
                        rawBytes,
                        keyBytes,
                        Arrays.stream(familyBytes).boxed().toList(),
                        minTimestamp,
                        maxTimestamp,
                        earliestExpiry,
                        latestExpiry == Long.MIN_VALUE ? Expiry.NEVER : latestExpiry,
                        firstKey,
                        lastKeyAsBytes());
        var meta =
                new TableMeta(
                        indexPart,
                        filterPart,
                        sealedCompanions,
                        settings.families(),
                        places(),
                        statistics,
                        histogram.finish(lastKeyAsBytes(), rows, bytes()),
                        settings.expiry(),
                        new TableMeta.Garbage(
                                Math.min(eraseBytes, rawBytes),
                                sampler.sample(_ -> true, erasedPlaces::contains)));
        TableMeta.Part metaPart = writePart(meta.encode(), Compression.LZ4);
        identity = main.seal(metaPart, cellId);
        writtenBytes += Footer.BYTES;
        return statistics;
    }

    private TableMeta.Part writeFilter() {
        if (filter == null) {
            return TableMeta.Part.NONE;
        }
        byte[] bits = filter.finish().bits();
        var raw = new ByteWriter(bits.length);
        raw.put(bits, 0, bits.length);
        return writePart(raw, Compression.NONE);
    }

    private TableMeta.Part writePart(ByteWriter raw, Compression compression) {
        long offset = main.offset();
        return new TableMeta.Part(offset, write(main, raw, compression));
    }

    /// For each family, the number of the blob that has its blocks.
    private List<Integer> places() {
        List<String> media = List.copyOf(blobs.keySet());
        return settings.families().stream().map(family -> media.indexOf(family.medium())).toList();
    }

    /// Deletes everything that was written if the table was not sealed, including sealed
    /// companions, which nothing would ever name.
    @Override
    public void close() {
        blobs.values().forEach(TableBlob::close);
        if (identity == null) {
            sealedCompanions.forEach(companion -> store.delete(companion.blobId()));
        }
    }
}
