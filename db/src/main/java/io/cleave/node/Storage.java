package io.cleave.node;

import io.cleave.base.Env;
import io.cleave.time.Leadership;

import java.util.Set;
import java.util.function.Consumer;

/// Remote storage for a node that stores no data on its own machine.
public interface Storage {
    /// Opens the storage for a node. `media` are the media names that column families may use.
    /// `fatal` is called when a log fails, and when another node has taken over the storage.
    Opened open(Env env, NodeOptions options, Set<String> media, Consumer<Throwable> fatal)
            throws StartException;

    /// Storage that a node has opened.
    interface Opened extends Store.Backend, AutoCloseable {
        /// For messages.
        String name();

        /// Other nodes wait to become the leader.
        @Override
        Leadership leadership();

        /// Reports that the node answers requests at this endpoint.
        void serving(String endpoint);

        /// Called after everything built on it is closed.
        @Override
        void close();
    }
}
