package io.cleave.node;

import io.cleave.base.Env;
import io.cleave.blob.BlobStore;
import io.cleave.blob.LocalBlobs;
import io.cleave.blob.MemoryBlobs;
import io.cleave.disk.FileDisk;
import io.cleave.log.LocalLog;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.TableFiles;
import io.cleave.tablet.Background;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The node's cells, on a data folder or in memory, and what they stand on.
final class Storage implements AutoCloseable {
    /// Of uncompressed blocks, for all tables of a cell together.
    private static final long SYSTEM_CACHE_BYTES = 8L << 20;

    /// The share of the heap that cached blocks of user tables may take.
    private static final long CACHE_SHARE = 4;

    /// A log is given up in whole segments, so they are small beside what a start may replay.
    private static final LogOptions LOG_OPTIONS =
            new LogOptions(16L << 20, LogOptions.DEFAULT.queueBytes());

    private final Env env;
    private final @Nullable DataFolder folder;
    private final CellOptions options;
    private final Consumer<Throwable> fatal;
    private final Timeline timeline;
    private final Background background;

    /// What closes each part, in the order they were opened.
    private final List<Runnable> closing = new ArrayList<>();

    Storage(Env env, @Nullable DataFolder folder, CellOptions options, Consumer<Throwable> fatal) {
        this.env = env;
        this.folder = folder;
        this.options = options;
        this.fatal = fatal;
        timeline = new Timeline(env);
        background = new Background(env, options);
    }

    Cell openSystemCell() {
        return openCell(0, SYSTEM_CACHE_BYTES);
    }

    Cell openUserCell() {
        return openCell(1, Runtime.getRuntime().maxMemory() / CACHE_SHARE);
    }

    /// Closes cells before the logs they write, and the folder last.
    @Override
    public void close() {
        closing.reversed().forEach(Runnable::run);
        if (folder != null) {
            folder.close();
        }
    }

    private Cell openCell(long cellId, long cacheBytes) {
        Log log =
                folder == null
                        ? new MemoryLog(env, LOG_OPTIONS, fatal)
                        : new LocalLog(folder.log(cellId), env, LOG_OPTIONS, fatal);
        closing.add(log::close);
        BlobStore blobs =
                folder == null
                        ? new MemoryBlobs(Set.of(BlobStore.DEFAULT_MEDIUM, Media.MAIN))
                        : new LocalBlobs(new FileDisk(), folder.blobs(cellId));
        var files = new TableFiles(blobs, cacheBytes);
        var cell = new Cell(cellId, log, files, timeline, options, background, env);
        closing.add(cell::close);
        return cell;
    }
}
