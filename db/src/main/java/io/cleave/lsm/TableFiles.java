package io.cleave.lsm;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobStore;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The tables of all trees over one blob store, with their common block cache. Threads: any.
public final class TableFiles {
    private static final System.Logger LOGGER = System.getLogger(TableFiles.class.getName());

    /// Who writes for no cell: tests, and what sorts rows aside.
    private static final long NO_CELL = -1;

    private final BlobStore blobs;
    private final BlockCache cache;
    private final BlockCodec codec = new BlockCodec();
    private final ReadCounters counters;
    private final ConcurrentMap<Long, TableReader> open;

    /// For whom tables are written here.
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

    /// The same files and cache, as a cell has them: what is written here says that it is the
    /// cell's.
    public TableFiles ofCell(long id) {
        return new TableFiles(this, id);
    }

    /// Bytes read from blobs so far.
    public long bytesRead() {
        return counters.bytes();
    }

    public CacheStatistics cacheStatistics() {
        return new CacheStatistics(cache.bytes(), cache.hits(), cache.misses(), counters.bytes());
    }

    /// How the block cache serves; `bytesRead` were read from blobs, as they are there.
    public record CacheStatistics(long bytes, long hits, long misses, long bytesRead) {}

    public BlobStore blobs() {
        return blobs;
    }

    /// The table that a slice is of. One that is not the table which the slice was made for is
    /// damage.
    TableReader open(Slice slice) {
        TableReader table = open(slice.blobId());
        table.checkIdentity(slice.identity());
        return table;
    }

    TableReader open(long blobId) {
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

    /// Deletes a table that no tree names any more. Readers that are on it go on undisturbed. One
    /// that is gone already is no error.
    public void delete(long blobId) {
        List<Long> all = List.of(blobId);
        try {
            all = blobIds(blobId);
            open(blobId).unpin();
            open(blobId).dropBlocks();
        } catch (CorruptionException e) {
            // Gone, or damaged: then its companions, if any, are orphans that the next start finds.
            LOGGER.log(System.Logger.Level.DEBUG, "deleting what cannot be opened", e);
        }
        open.remove(blobId);
        // The companions first: without the table nobody would know of them.
        all.reversed().forEach(blobs::delete);
    }

    /// The blobs of a table: its own, and those that hold its groups on other media.
    public List<Long> blobIds(long blobId) {
        List<Long> all = new ArrayList<>(List.of(blobId));
        open(blobId).meta().companions().forEach(companion -> all.add(companion.blobId()));
        return all;
    }

    /// Deletes every table but these: what is left of writing or deleting others when the process
    /// ended. `check` is called when it is known what is there and nothing is deleted yet; it
    /// throws if others may have written some of it.
    public void deleteAllBut(Set<Long> named, Runnable check) {
        allBut(named, check).forEach(blobs::delete);
    }

    /// The same, but sets them aside; answers with where they are.
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

    /// Reads the whole table of a slice and says what is wrong with it, if anything is.
    public @Nullable CorruptionException check(Slice slice) {
        return check(slice.blobId(), slice.identity());
    }

    /// The same where it is not known what the file should be.
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
