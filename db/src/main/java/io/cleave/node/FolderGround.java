package io.cleave.node;

import io.cleave.base.Env;
import io.cleave.blob.BlobStore;
import io.cleave.blob.LocalBlobs;
import io.cleave.disk.FileDisk;
import io.cleave.log.LocalLog;
import io.cleave.log.Log;

import java.util.Optional;
import java.util.function.Consumer;

/// A store in a data folder.
record FolderGround(Env env, DataFolder folder, Consumer<Throwable> fatal) implements Store.Ground {
    @Override
    public Log openLog(long cellId) {
        return new LocalLog(folder.log(cellId), env, Node.LOG_OPTIONS, fatal);
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
        return new LocalBlobs(new FileDisk(), folder.systemBlobs());
    }

    @Override
    public BlobStore userBlobs() {
        return new LocalBlobs(new FileDisk(), folder.userBlobs());
    }
}
