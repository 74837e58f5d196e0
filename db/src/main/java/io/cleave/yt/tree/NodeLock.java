package io.cleave.yt.tree;

import io.cleave.balance.yt.settings.OldAttributes;
import io.cleave.schema.ObjectId;

import java.util.Optional;

/// A lock of a transaction on a node.
///
/// @param isRecursive whether everything below the node is locked, too
/// @param isExplicit whether a client requested it with the command `lock`; false for a lock that a
///   change takes
record NodeLock(
        ObjectId id,
        ObjectId nodeId,
        MasterTransaction transaction,
        Request request,
        boolean isRecursive,
        boolean isExplicit) {
    /// What is locked: a node, one child or one attribute of it.
    record Request(LockMode mode, Optional<String> childKey, Optional<String> attributeKey) {
        static final Request EXCLUSIVE =
                new Request(LockMode.EXCLUSIVE, Optional.empty(), Optional.empty());

        static Request child(String key) {
            return new Request(LockMode.SHARED, Optional.of(key), Optional.empty());
        }

        static Request attribute(String key) {
            return new Request(LockMode.SHARED, Optional.empty(), Optional.of(key));
        }

        /// The attribute in which the value of the locked attribute is stored.
        private Optional<String> storedAttribute() {
            return attributeKey.map(
                    name ->
                            OldAttributes.NAMES.contains(name)
                                    ? BundleAttributes.BALANCER_CONFIG
                                    : name);
        }

        boolean hasSameKey(Request other) {
            return childKey.equals(other.childKey)
                    && storedAttribute().equals(other.storedAttribute());
        }

        boolean hasKey() {
            return childKey.isPresent() || attributeKey.isPresent();
        }
    }

    NodeLock of(MasterTransaction other) {
        return new NodeLock(id, nodeId, other, request, isRecursive, isExplicit);
    }
}
