package io.cleave.lsm.table;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobStore;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The tables of all trees over one blob store, with their shared block cache. Threads: any.
public final class TableFiles {
    private static final System.Logger LOGGER = System.getLogger(TableFiles.class.getName());

    /// The cell id of tables that are written for no cell: by tests, and for sorting rows.
    private static final long NO_CELL = -1;

    private final BlobStore blobs;
    private final BlockCache cache;
    private final BlockCodec codec = new BlockCodec();
    private final ReadCounters counters;
    private final ConcurrentMap<Long, TableReader> open;

    /// The cell for which tables are written.
    private final long cellId;

    public TableFiles(BlobStore blobs, long cacheBytes) {
        this.blobs = blobs;
        cellId = NO_CELL;
        cache = new BlockCache(cacheBytes);
        counters = new ReadCounters();
        open = new ConcurrentHashMap<>();
    }

    private TableFiles(TableFiles all, long cellId) {
        this.cellId = cellId;
        blobs = all.blobs;
        cache = all.cache;
        counters = all.counters;
        open = all.open;
    }

    /// The same files and cache for one cell: tables written through it carry the cell's id.
    public TableFiles ofCell(long id) {
        return new TableFiles(this, id);
    }

    /// Bytes read from blobs so far.
    public long bytesRead() {
        return counters.bytes();
    }

    public CacheStatistics cacheStatistics() {
        return new CacheStatistics(
                cache.bytes(),
                cache.hits(),
                cache.misses(),
                counters.bytes(),
                cache.pinnedBytes(),
                cache.maxPinnedBytes());
    }

    /// Statistics of the block cache; `bytesRead` counts bytes as stored in the blobs. Families
    /// that are kept in memory take `pinnedBytes` of at most `maxPinnedBytes`.
    public record CacheStatistics(
            long bytes,
            long hits,
            long misses,
            long bytesRead,
            long pinnedBytes,
            long maxPinnedBytes) {}

    public BlobStore blobs() {
        return blobs;
    }

    /// The names of the media that files may lie on.
    public Set<String> media() {
        return blobs.media();
    }

    /// Opens the table of a slice. Fails as damaged if the file is not the table that the slice was
    /// made for.
    TableReader open(Slice slice) {
        TableReader table = open(slice.blobId());
        table.checkIdentity(slice.identity());
        return table;
    }

    /// Opens the table of a slice as a tree would; returns the reason if it is missing or damaged.
    public @Nullable CorruptionException tryOpen(Slice slice) {
        try {
            var _ = open(slice);
            return null;
        } catch (CorruptionException e) {
            return e;
        }
    }

    public TableReader open(long blobId) {
        TableReader known = open.get(blobId);
        if (known != null) {
            return known;
        }
        var opened = new TableReader(blobId, blobs, codec, cache, counters);
        TableReader earlier = open.putIfAbsent(blobId, opened);
        return earlier == null ? opened : earlier;
    }

    TableWriter create(LsmOptions options, TreeSettings settings) {
        return new TableWriter(blobs, codec, options, settings, cellId);
    }

    /// Deletes a table that no tree uses any more. Readers that still use it are not disturbed. It
    /// is not an error if the table does not exist.
    public void delete(long blobId) {
        // Companions first: once the table is gone, nothing names them.
        forget(blobId).reversed().forEach(blobs::delete);
    }

    /// Moves the blobs of a table aside instead of deleting them; returns where they are.
    public List<String> setAside(long blobId) {
        return forget(blobId).reversed().stream().map(blobs::setAside).toList();
    }

    /// Closes a table and removes its blocks from the cache. Returns its blobs.
    private List<Long> forget(long blobId) {
        List<Long> all = List.of(blobId);
        try {
            all = blobIds(blobId);
            open(blobId).unpin();
            open(blobId).dropBlocks();
        } catch (CorruptionException e) {
            // The table is missing or damaged. Its companions, if any, are orphans that the next
            // start finds.
            LOGGER.log(System.Logger.Level.DEBUG, "deleting what cannot be opened", e);
        }
        open.remove(blobId);
        return all;
    }

    /// The blobs of a table: its own, and the companions with its families on other media.
    public List<Long> blobIds(long blobId) {
        List<Long> all = new ArrayList<>(List.of(blobId));
        open(blobId).meta().companions().forEach(companion -> all.add(companion.blobId()));
        return all;
    }

    /// Deletes every blob that does not belong to one of these tables: leftovers of writes and
    /// deletions that a process end interrupted. `check` is called after the blobs are listed and
    /// before any is deleted; it throws if another process may have written some of them.
    public void deleteAllBut(Set<Long> named, Runnable check) {
        allBut(named, check).forEach(blobs::delete);
    }

    /// Moves every blob that does not belong to one of these tables aside; returns where they are.
    /// `check` is called after the blobs are listed and before any is moved; it throws if another
    /// process may have written some of them.
    public List<String> setAsideAllBut(Set<Long> named, Runnable check) {
        return allBut(named, check).stream().map(blobs::setAside).toList();
    }

    private List<Long> allBut(Set<Long> named, Runnable check) {
        Set<Long> needed = new HashSet<>();
        named.forEach(blobId -> needed.addAll(blobIds(blobId)));
        List<Long> found = blobs.list();
        check.run();
        return found.stream().filter(blobId -> !needed.contains(blobId)).toList();
    }

    /// Reads the whole table of a slice and verifies it. Returns what is wrong, or null.
    public @Nullable CorruptionException check(Slice slice) {
        return check(slice.blobId(), slice.identity());
    }

    /// Verifies a table without comparing its identity.
    public @Nullable CorruptionException check(long blobId) {
        return check(blobId, null);
    }

    private @Nullable CorruptionException check(long blobId, @Nullable TableIdentity named) {
        try {
            var table = new TableReader(blobId, blobs, codec, new BlockCache(0), counters);
            table.checkIdentity(named);
            TableCheck.run(table);
            return null;
        } catch (CorruptionException e) {
            return e;
        }
    }
}
