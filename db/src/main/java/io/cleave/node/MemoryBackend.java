package io.cleave.node;

import io.cleave.base.Env;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.Log;
import io.cleave.log.MemoryLog;

import java.util.Set;
import java.util.function.Consumer;

/// Keeps the logs and files of a store in memory. They are lost when the process ends.
record MemoryBackend(Env env, Consumer<Throwable> fatal) implements Store.Backend {
    @Override
    public Log openLog(long cellId) {
        return new MemoryLog(env, Node.LOG_OPTIONS, fatal);
    }

    @Override
    public void removeLog(long cellId) {}

    @Override
    public BlobStore systemBlobs() {
        return new MemoryBlobs();
    }

    @Override
    public BlobStore userBlobs() {
        return new MemoryBlobs(Set.of(BlobStore.DEFAULT_MEDIUM, MediaFolders.MAIN));
    }
}
