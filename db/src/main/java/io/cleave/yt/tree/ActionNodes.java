package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.value.YsonNode;

import java.util.List;
import java.util.Optional;

/// The tablet actions: changes of tablets that the balancer and clients have asked for. Implemented
/// by the package of tables.
///
/// Threads: any. Errors are a `YtException`.
public interface ActionNodes {
    /// All actions that are kept, oldest first.
    List<SystemObject> all();

    Optional<SystemObject> find(ObjectId id);

    /// The value of `tablet_actions` of a bundle.
    YsonNode ofBundle(String bundle);

    /// Begins an action that a client asks for. Returns when it is stored; it is carried out later.
    ///
    /// @param attributes what the client sent
    /// @param use throws unless the client may use the bundle with this name
    ObjectId create(YsonNode.Members attributes, BundleUse use);

    /// Forgets a finished action.
    void remove(ObjectId id);

    /// Checks the permission `use` of a bundle.
    interface BundleUse {
        void check(String bundle);
    }
}
