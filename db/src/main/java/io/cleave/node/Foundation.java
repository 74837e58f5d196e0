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

/// What a node stands on: a data folder, memory, or storage elsewhere.
///
/// @param name for messages
/// @param spilled where queries put rows that do not fit into memory
/// @param serving is told the endpoint when the node answers
/// @param closing when everything that stands on it is closed
record Foundation(
        String name,
        Store.Ground ground,
        int userCells,
        Optional<Path> spilled,
        Consumer<String> serving,
        Runnable closing)
        implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Foundation.class.getName());

    @FunctionalInterface
    interface Opening {
        Foundation open(Env env, NodeOptions options, Consumer<Throwable> fatal)
                throws StartException;
    }

    /// The data folder of the options, or memory.
    static Foundation open(
            Env env, NodeOptions options, OnDamage onDamage, Consumer<Throwable> fatal)
            throws StartException {
        if (options.data().isEmpty()) {
            return new Foundation(
                    "the store",
                    new MemoryGround(env, fatal),
                    options.userCells(),
                    Optional.empty(),
                    _ -> {},
                    () -> {});
        }
        DataFolder folder = DataFolder.open(options.data().get(), options.media());
        try {
            return new Foundation(
                    options.data().get().toString(),
                    new FolderGround(env, folder, onDamage, fatal),
                    Math.max(options.userCells(), folder.userCells()),
                    Optional.of(folder.spilled()),
                    _ -> {},
                    folder::close);
        } catch (IOException e) {
            folder.close();
            throw new StartException("cannot open " + options.data().get() + ": " + e.getMessage());
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    static Foundation open(Env env, Storage storage, NodeOptions options, Consumer<Throwable> fatal)
            throws StartException {
        Set<String> media = new HashSet<>(options.media().keySet());
        media.add(BlobStore.DEFAULT_MEDIUM);
        media.add(Media.MAIN);
        Storage.Opened opened = storage.open(env, options, media, fatal);
        try {
            Path spilled = Files.createTempDirectory("cleave-spilled");
            return new Foundation(
                    opened.name(),
                    opened,
                    opened.userCells(),
                    Optional.of(spilled),
                    opened::serving,
                    () -> {
                        opened.close();
                        remove(spilled);
                    });
        } catch (IOException e) {
            opened.close();
            throw new StartException(
                    "cannot make a folder for what queries keep on disk: " + e.getMessage());
        }
    }

    /// By now no query has a file there. What a crash leaves is the system's to remove.
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

    /// The node answers requests.
    void serving(String endpoint) {
        serving.accept(endpoint);
    }

    @Override
    public void close() {
        closing.run();
    }
}
