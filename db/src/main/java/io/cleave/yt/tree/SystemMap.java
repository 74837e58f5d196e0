package io.cleave.yt.tree;

import io.cleave.schema.ObjectType;

import java.util.Collection;
import java.util.Optional;

/// A directory of objects in `//sys`.
interface SystemMap {
    ObjectType type();

    Collection<String> keys();

    Optional<SystemObject> find(String key);
}
