package io.cleave.node;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobIdRepair;
import io.cleave.blob.BlobStore;
import io.cleave.blob.LocalBlobs;
import io.cleave.disk.FileDisk;
import io.cleave.log.LocalLog;
import io.cleave.log.Log;
import io.cleave.log.OnDamage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Stores the logs and files of a store in a data folder.
record FolderBackend(Env env, DataFolder folder, OnDamage onDamage, Consumer<Throwable> fatal)
        implements Store.Backend {
    private static final System.Logger LOGGER = System.getLogger(FolderBackend.class.getName());

    @Override
    public Log openLog(long cellId) {
        return new LocalLog(
                new FileDisk(), folder.log(cellId), env, Node.LOG_OPTIONS, fatal, onDamage);
    }

    @Override
    public void removeLog(long cellId) {
        try {
            folder.removeLog(cellId);
        } catch (IOException e) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "the log of cell %d could not be removed: %s"
                            .formatted(cellId, StartException.reason(e)));
        }
    }

    @Override
    public Set<Long> cellIds() {
        try {
            return folder.userCells();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the cells of " + folder.path(), e);
        }
    }

    @Override
    public boolean acceptsLoss() {
        return onDamage == OnDamage.ACCEPT_LOSS;
    }

    @Override
    public Optional<DiskSpace> space() {
        return Optional.of(
                new DiskSpace(
                        env,
                        new FileDisk(),
                        folder.path(),
                        folder.mediaFolders(),
                        DiskSpace.DEFAULT));
    }

    @Override
    public BlobStore systemBlobs() {
        return open(folder.systemBlobs());
    }

    @Override
    public BlobStore userBlobs() {
        return open(folder.userBlobs());
    }

    private BlobStore open(Map<String, Path> folders) {
        var disk = new FileDisk();
        if (acceptsLoss()) {
            try {
                BlobIdRepair.run(disk, folders)
                        .ifPresent(done -> LOGGER.log(System.Logger.Level.WARNING, done));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write to a folder of blobs", e);
            }
        }
        return new LocalBlobs(disk, folders);
    }
}
