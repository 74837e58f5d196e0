package io.cleave.lsm.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.base.LittleEndian;
import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.lsm.row.Fields;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/// An open table file. Its index, filter and statistics are in memory; its blocks are read through
/// the cache. It can be used as long as a caller holds it, even after the blob was deleted.
/// Threads: any.
///
/// The blocks of a table form *runs*. Run 0 has the keys. If families are stored apart from the
/// keys, run `1 + n` has the fields of family `n`.
public final class TableReader {
    static final int KEYS = 0;

    /// The filter, index, meta block and footer are at the end of the file. This many bytes usually
    /// cover at least the last two.
    private static final int TAIL_BYTES = 64 << 10;

    private final BlockCodec codec;
    private final BlockCache cache;
    private final ReadCounters counters;

    /// The table, followed by its companions.
    private final List<BlobReader> blobs;

    private final @Nullable TableIdentity identity;
    private final TableMeta meta;
    private final TableIndex index;
    private final FamilyLayout layout;
    private final @Nullable KeyFilter filter;
    private final BlockSlots[] slots;

    /// The shapes of the last block read, by run. The next block most likely has the same shapes.
    private final AtomicReferenceArray<Fields.Shapes> shapes;

    /// Held while blocks are pinned or released: tablets that share the table may do so at once.
    private final ReentrantLock pinning = new ReentrantLock();

    /// Written under `pinning`.
    private volatile PinnedBlocks pinned;

    /// Nobody will pin blocks any more, because the table is deleted.
    @GuardedBy("pinning")
    private boolean isUnpinned;

    TableReader(
            long blobId,
            BlobStore store,
            BlockCodec codec,
            BlockCache cache,
            ReadCounters counters) {
        this.codec = codec;
        this.cache = cache;
        this.counters = counters;
        BlobReader blob = store.open(blobId);
        blob.willRead(blob.size() - TAIL_BYTES, TAIL_BYTES);
        Footer footer = Footer.read(blob, blobId);
        identity = footer.identity();
        meta =
                TableMeta.decode(
                        part(blob, footer.metaOffset(), footer.metaLength()), footer.format());
        List<BlobReader> all = new ArrayList<>(List.of(blob));
        meta.companions().forEach(companion -> all.add(openCompanion(store, companion)));
        blobs = List.copyOf(all);
        index = TableIndex.decode(part(meta.index()));
        filter = meta.filter().length() == 0 ? null : new KeyFilter(part(meta.filter()));
        layout = new FamilyLayout(meta.families());
        slots = new BlockSlots[1 + index.families().size()];
        slots[KEYS] = new BlockSlots(index.blockCount());
        for (int family = 0; family < index.families().size(); family++) {
            slots[1 + family] = new BlockSlots(index.families().get(family).blockCount());
        }
        shapes = new AtomicReferenceArray<>(slots.length);
        for (int run = 0; run < slots.length; run++) {
            shapes.setPlain(run, Fields.Shapes.NONE);
        }
        pinned = PinnedBlocks.none(slots.length);
        checkParts(footer);
    }

    private static BlobReader openCompanion(BlobStore store, TableMeta.Companion companion) {
        BlobReader blob = store.open(companion.blobId());
        TableIdentity named = companion.identity();
        if (named != null) {
            compare(blob, Footer.read(blob, companion.blobId()).identity(), named);
        }
        return blob;
    }

    private static void compare(
            BlobReader blob, @Nullable TableIdentity found, TableIdentity named) {
        if (!named.equals(found)) {
            throw new CorruptionException(
                    blob.name(),
                    blob.size(),
                    "this is another file: %s, but %s was written here"
                            .formatted(
                                    found == null ? "it has no identity" : "it is " + found,
                                    named));
        }
    }

    /// Compares the file with what the record says of it. `named` is null if the record has no
    /// identity.
    void checkIdentity(@Nullable TableIdentity named) {
        if (named != null && !named.equals(identity)) {
            compare(blobs.getFirst(), identity, named);
        }
    }

    /// Null for a file of format 1.
    @Nullable TableIdentity identity() {
        return identity;
    }

    /// Verifies the checksums of the whole table file and its companions.
    void checkWhole() {
        WholeCheck.run(blobs.getFirst(), identity);
        for (int place = 1; place < blobs.size(); place++) {
            WholeCheck.run(blobs.get(place), meta.companions().get(place - 1).identity());
        }
    }

    private byte[] part(TableMeta.Part part) {
        return part(blobs.getFirst(), part.offset(), part.length());
    }

    private byte[] part(BlobReader blob, long offset, int length) {
        blob.willRead(offset, length);
        return codec.decode(blob, offset, length);
    }

    /// Checks that the parts named by the index cover the whole file.
    private void checkParts(Footer footer) {
        long[] bytes = new long[blobs.size()];
        for (int block = 0; block < index.blockCount(); block++) {
            bytes[0] += index.length(block);
        }
        for (int family = 0; family < index.families().size(); family++) {
            for (int length : index.families().get(family).lengths) {
                bytes[meta.places().get(family)] += length;
            }
        }
        bytes[0] += meta.filter().length();
        if (bytes[0] != meta.index().offset()
                || bytes[0] + meta.index().length() != footer.metaOffset()) {
            throw new CorruptionException(
                    name(), meta.index().offset(), "the index does not cover the blocks");
        }
        for (int place = 1; place < bytes.length; place++) {
            BlobReader companion = blobs.get(place);
            bytes[place] += footer.format() == Footer.OLD_FORMAT ? 0 : Footer.BYTES;
            if (bytes[place] != companion.size()) {
                throw new CorruptionException(
                        companion.name(),
                        Math.min(bytes[place], companion.size()),
                        "%d bytes, but according to %s it has %d"
                                .formatted(companion.size(), name(), bytes[place]));
            }
        }
    }

    String name() {
        return blobs.getFirst().name();
    }

    public TableIndex index() {
        return index;
    }

    public TableMeta meta() {
        return meta;
    }

    public TableStatistics statistics() {
        return meta.statistics();
    }

    public boolean hasFilter() {
        return filter != null;
    }

    /// The size of the file and its companions.
    public long bytes() {
        return blobs.stream().mapToLong(BlobReader::size).sum();
    }

    /// The bytes of each family, by name. Everything that belongs to no other family counts for the
    /// default family.
    public Map<String, Long> familyBytes() {
        Map<String, Long> byName = new LinkedHashMap<>();
        long rest = bytes();
        for (int family = 1; family < statistics().familyBytes().size(); family++) {
            long bytes = statistics().familyBytes().get(family);
            byName.put(meta.families().get(family).name(), bytes);
            rest -= bytes;
        }
        byName.put(meta.families().getFirst().name(), rest);
        return byName;
    }

    /// The blob with the blocks of a run.
    BlobReader blobOf(int run) {
        return blobs.get(run == KEYS ? 0 : meta.places().get(run - 1));
    }

    /// Whether the projection needs the fields of a family that is stored apart from the keys.
    boolean readsApart(int family, Projection projection) {
        return layout.isWanted(family, projection);
    }

    int familiesApart() {
        return slots.length - 1;
    }

    /// Reads a key block for a cursor.
    KeyBlock keyBlock(int number, BlockCache.Use use, ReadAhead ahead) {
        return (KeyBlock) block(KEYS, number, use, ahead);
    }

    FamilyBlock familyBlock(int family, int number, BlockCache.Use use, ReadAhead ahead) {
        return (FamilyBlock) block(1 + family, number, use, ahead);
    }

    private Block block(int run, int number, BlockCache.Use use, ReadAhead ahead) {
        Block known = slots[run].get(number);
        ahead.open(number, known != null);
        if (known != null) {
            cache.hit(known);
            return known;
        }
        return readThrough(run, number, use);
    }

    /// Reads a block for a point read.
    private Block block(int run, int number) {
        Block known = slots[run].get(number);
        if (known != null) {
            cache.hit(known);
            return known;
        }
        willRead(run, number, number + 1);
        return readThrough(run, number, BlockCache.Use.KEEP);
    }

    private Block readThrough(int run, int number, BlockCache.Use use) {
        Block read = read(run, number);
        if (use == BlockCache.Use.PASS) {
            cache.passed();
            return read;
        }
        return cache.keep(slots[run], number, read);
    }

    int blockCount(int run) {
        return slots[run].count();
    }

    /// The size of a block as stored in the blob.
    int blockBytes(int run, int number) {
        return run == KEYS ? index.length(number) : index.families().get(run - 1).lengths[number];
    }

    private long blockOffset(int run, int number) {
        return run == KEYS ? index.offset(number) : index.families().get(run - 1).offsets[number];
    }

    /// Prefetches those of the blocks `[from, to)` that are not in memory. Adjacent blocks are
    /// requested together.
    void willRead(int run, int from, int to) {
        BlobReader blob = blobOf(run);
        long begin = 0;
        long end = 0;
        for (int number = from; number < to; number++) {
            if (slots[run].get(number) != null || pinned.stored(run, number) != null) {
                continue;
            }
            long offset = blockOffset(run, number);
            if (offset != end) {
                blob.willRead(begin, end - begin);
                begin = offset;
            }
            end = offset + blockBytes(run, number);
        }
        blob.willRead(begin, end - begin);
    }

    /// Reads a block from its blob, or from its pinned bytes.
    Block read(int run, int number) {
        BlobReader blob = blobOf(run);
        long offset = blockOffset(run, number);
        int length = blockBytes(run, number);
        byte @Nullable [] stored = pinned.stored(run, number);
        byte[] raw;
        if (stored == null) {
            counters.blockRead(length);
            raw = codec.decode(blob, offset, length);
        } else {
            raw = codec.decode(blob, offset, ByteBuffer.wrap(stored));
        }
        return parse(run, raw);
    }

    private Block parse(int run, byte[] raw) {
        Fields.Shapes like = shapes.get(run);
        Fields fields;
        Block block;
        if (run == KEYS) {
            var keyBlock = new KeyBlock(raw, familiesApart() == 0, like);
            fields = keyBlock.fields;
            block = keyBlock;
        } else {
            var familyBlock = new FamilyBlock(raw, like);
            fields = familyBlock.fields;
            block = familyBlock;
        }
        if (fields != null) {
            shapes.setRelease(run, fields.shapes());
        }
        return block;
    }

    /// Releases the pinned blocks, for ever.
    void unpin() {
        pinning.lock();
        try {
            isUnpinned = true;
            pinned.release(cache);
            pinned = PinnedBlocks.none(slots.length);
        } finally {
            pinning.unlock();
        }
    }

    /// Evicts all blocks of this table from the cache.
    public void dropBlocks() {
        for (int run = 0; run < slots.length; run++) {
            dropBlocks(run);
        }
    }

    void dropBlocks(int run) {
        cache.drop(slots[run]);
    }

    /// Loads the blocks that the settings pin, and releases those that they no longer pin. Returns
    /// false if there is no room for some.
    public boolean pin(TreeSettings settings) {
        StoredFamily.CacheMode[] wanted = cacheModes(settings);
        if (pinned.isAll(wanted)) {
            return true;
        }
        pinning.lock();
        try {
            if (isUnpinned) {
                return true;
            }
            pinned = pinned.changed(this, slots, wanted, cache);
            return pinned.isAll(wanted);
        } finally {
            pinning.unlock();
        }
    }

    /// The cache mode of each run. A family that is not in the settings any more keeps the mode it
    /// was written with.
    private StoredFamily.CacheMode[] cacheModes(TreeSettings settings) {
        StoredFamily.CacheMode[] modes = new StoredFamily.CacheMode[slots.length];
        for (int run = 0; run < slots.length; run++) {
            StoredFamily written = meta.families().get(Math.max(run - 1, 0));
            modes[run] =
                    settings.families().stream()
                            .filter(family -> family.name().equals(written.name()))
                            .findFirst()
                            .orElse(written)
                            .cacheMode();
        }
        return modes;
    }

    byte[] stored(int run, int number) {
        byte[] bytes = new byte[blockBytes(run, number)];
        blobOf(run).read(blockOffset(run, number), bytes.length).get(bytes);
        return bytes;
    }

    /// The memory of the pinned blocks with the keys of a slice. A block counts for the slice that
    /// has its last key, so the slices that make up the table have all of its memory together.
    public long pinnedBytes(Slice slice) {
        PinnedBlocks now = pinned;
        if (now.bytes() == 0) {
            return 0;
        }
        int from = index.find(slice.from().array(), slice.from().length());
        Bytes end = slice.to();
        int to = end == null ? index.blockCount() : index.find(end.array(), end.length());
        long bytes = now.bytes(KEYS, from, to);
        for (int family = 0; family < familiesApart(); family++) {
            FamilyIndex blocks = index.families().get(family);
            int fromBlock = blocks.firstFrom(index.firstRow(from));
            bytes += now.bytes(1 + family, fromBlock, blocks.firstFrom(index.firstRow(to)));
        }
        return bytes;
    }

    /// Whether a table written with these settings would be stored differently.
    public boolean isStale(TreeSettings settings) {
        return hasFilter() != settings.keyFilter() || !sameStorage(settings.families());
    }

    private boolean sameStorage(List<StoredFamily> families) {
        if (families.size() != meta.families().size()) {
            return false;
        }
        for (int family = 0; family < families.size(); family++) {
            StoredFamily now = families.get(family);
            StoredFamily written = meta.families().get(family);
            if (now.compression() != written.compression()
                    || !now.medium().equals(written.medium())
                    || !now.columns().equals(written.columns())) {
                return false;
            }
        }
        return true;
    }

    /// False if the key is not in the table. `hash` is that of the key.
    public boolean mayContain(long hash) {
        return filter == null || filter.mayContain(hash);
    }

    /// Merges the versions of the key that the snapshot sees into `row`. For `ingestedAt` see
    /// [Slice].
    public LookupResult get(
            byte[] key,
            int keyBytes,
            Row row,
            Projection projection,
            long snapshot,
            long ingestedAt,
            ReadWatch watch) {
        int number = index.find(key, keyBytes);
        if (number == index.blockCount()) {
            return LookupResult.NOTHING;
        }
        KeyBlock block = (KeyBlock) block(KEYS, number);
        long found = block.find(key, keyBytes);
        if (found == KeyBlock.ABSENT) {
            return LookupResult.NOTHING;
        }
        int entry = (int) found;
        int rowNumber = (int) (found >>> Integer.SIZE);
        while (true) {
            byte[] bytes = block.bytes;
            int tag = LittleEndian.getVarInt(bytes, entry);
            int at = entry + LittleEndian.varIntBytes(tag);
            int rest = LittleEndian.getVarInt(bytes, at);
            at += LittleEndian.varIntBytes(rest) + rest;
            long step = LittleEndian.getVarLong(bytes, at);
            at += LittleEndian.varLongBytes(step);
            long written = block.baseTimestamp + ((step >>> 1) ^ -(step & 1));
            long timestamp = Math.max(written, ingestedAt);
            if (timestamp > snapshot) {
                watch.newerVersion();
            } else {
                int kind = (tag >>> 1) & 3;
                if (kind == RowChange.Kind.ERASE.code || timestamp <= row.floor) {
                    return LookupResult.ALL;
                }
                row.addVersion(timestamp);
                readFields(number, block, rowNumber, row, projection);
                if (kind == RowChange.Kind.REPLACE.code || row.isComplete()) {
                    return LookupResult.ALL;
                }
            }
            rowNumber++;
            entry = at;
            if (entry == block.entriesTo) {
                if (!index.goesOnBehind(number)) {
                    return LookupResult.SOME;
                }
                number++;
                block = (KeyBlock) block(KEYS, number);
                entry = 0;
                rowNumber = 0;
            } else if ((bytes[entry] & 1) == 0) {
                return LookupResult.SOME;
            }
        }
    }

    /// What a table has of a key.
    public enum LookupResult {
        NOTHING,
        /// Versions were found, but older ones elsewhere may matter too.
        SOME,
        /// Nothing older can change the row.
        ALL
    }

    private void readFields(
            int number, KeyBlock block, int rowNumber, Row row, Projection projection) {
        Fields beside = block.fields;
        if (beside != null) {
            beside.read(rowNumber, row);
            return;
        }
        int inTable = index.firstRow(number) + rowNumber;
        for (int family = 0; family < familiesApart(); family++) {
            if (layout.isWanted(family, projection)) {
                FamilyIndex blocks = index.families().get(family);
                int of = blocks.find(inTable);
                FamilyBlock fields = (FamilyBlock) block(1 + family, of);
                fields.fields.read(inTable - blocks.firstRows[of], row);
            }
        }
    }
}
