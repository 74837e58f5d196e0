package io.cleave.node;

import io.cleave.base.Env;
import io.cleave.tablet.Leadership;

import java.util.Set;
import java.util.function.Consumer;

/// Storage outside the machine, on which a node runs that holds no data of its own.
public interface Storage {
    /// Opens it for a node. `media` are the names that column groups choose media by. `fatal` is
    /// told when a log takes no more, and when the storage is another node's by now.
    Opened open(Env env, NodeOptions options, Set<String> media, Consumer<Throwable> fatal)
            throws StartException;

    /// Storage that a node has open.
    interface Opened extends Store.Ground, AutoCloseable {
        /// For messages.
        String name();

        /// As many as there ever were or the node was started with, whichever is more.
        int userCells();

        /// Other nodes wait to lead it.
        @Override
        Leadership leadership();

        /// The node answers requests, at this endpoint.
        void serving(String endpoint);

        /// When everything that stands on it is closed.
        @Override
        void close();
    }
}
