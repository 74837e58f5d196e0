package io.cleave.node;

import io.cleave.base.Env;
import io.cleave.blob.BlobStore;
import io.cleave.log.OnDamage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// What a node is built on: a data folder, memory, or remote storage.
///
/// @param name for messages
/// @param spilled the folder for rows of queries that do not fit into memory
/// @param serving called with the endpoint when the node answers requests
/// @param closing called after everything built on it is closed
record NodeStorage(
        String name,
        Store.Backend backend,
        Optional<Path> spilled,
        Consumer<String> serving,
        Runnable closing)
        implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(NodeStorage.class.getName());

    @FunctionalInterface
    interface Opening {
        NodeStorage open(Env env, NodeOptions options, Consumer<Throwable> fatal)
                throws StartException;
    }

    /// Opens the data folder of the options, or memory if there is none.
    static NodeStorage open(
            Env env, NodeOptions options, OnDamage onDamage, Consumer<Throwable> fatal)
            throws StartException {
        if (options.data().isEmpty()) {
            return new NodeStorage(
                    "the store",
                    new MemoryBackend(env, fatal),
                    Optional.empty(),
                    _ -> {},
                    () -> {});
        }
        DataFolder folder = DataFolder.open(options.data().get(), options.media());
        return new NodeStorage(
                options.data().get().toString(),
                new FolderBackend(env, folder, onDamage, fatal),
                Optional.of(folder.spilled()),
                _ -> {},
                folder::close);
    }

    static NodeStorage open(
            Env env, Storage storage, NodeOptions options, Consumer<Throwable> fatal)
            throws StartException {
        Set<String> media = new HashSet<>(options.media().keySet());
        media.add(BlobStore.DEFAULT_MEDIUM);
        media.add(MediaFolders.MAIN);
        Storage.Opened opened = storage.open(env, options, media, fatal);
        try {
            Path spilled = Files.createTempDirectory("cleave-spilled");
            return new NodeStorage(
                    opened.name(),
                    opened,
                    Optional.of(spilled),
                    opened::serving,
                    () -> {
                        opened.close();
                        remove(spilled);
                    });
        } catch (IOException e) {
            opened.close();
            throw new StartException(
                    "cannot create the folder for temporary files of queries: " + e.getMessage());
        }
    }

    /// No query has a file there any more. Files left by a crash are removed by the operating
    /// system.
    private static void remove(Path folder) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "while closing", e);
        }
    }

    /// Reports that the node answers requests.
    void serving(String endpoint) {
        serving.accept(endpoint);
    }

    @Override
    public void close() {
        closing.run();
    }
}
