package io.cleave.yt.tree;

import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The parts of `//sys` that are not stored: directories of objects. Attributes that users set on
/// them may be stored, as rows at their paths.
final class SystemDirectory {
    private final String path;
    private final SequencedMap<String, SystemMap> maps;
    private final CellObjects cells;

    /// `path` is the catalog path of `//sys`.
    SystemDirectory(String path, SequencedMap<String, SystemMap> maps, CellObjects cells) {
        this.path = path;
        this.maps = new LinkedHashMap<>(maps);
        this.cells = cells;
    }

    CellObjects cells() {
        return cells;
    }

    List<String> names() {
        return List.copyOf(maps.keySet());
    }

    /// A directory of `//sys`, or an object in such a directory.
    record SystemEntry(SystemMap map, Optional<SystemObject> object) {
        TreeNode node(String path, Optional<CypressNode> row) {
            return object.map(
                            found ->
                                    new TreeNode(
                                            path,
                                            found.id(),
                                            found.type(),
                                            Optional.empty(),
                                            row,
                                            object,
                                            Optional.empty()))
                    .orElseGet(
                            () ->
                                    new TreeNode(
                                            path,
                                            ObjectId.named(map.type(), path),
                                            map.type(),
                                            Optional.empty(),
                                            row,
                                            Optional.empty(),
                                            Optional.of(map)));
        }
    }

    /// Whether the path is below `//sys`.
    boolean isAbove(String path) {
        int length = this.path.length();
        return path.length() > length && path.charAt(length) == '/' && path.startsWith(this.path);
    }

    /// The entry at an absolute path; empty if there is none, or the path is not below `//sys`.
    Optional<SystemEntry> at(String path) {
        return isAbove(path) ? below(path.substring(this.path.length() + 1)) : Optional.empty();
    }

    /// The entry at a path below `//sys`, such as `tablet_cells/1-2-3-4`.
    Optional<SystemEntry> below(String below) {
        int slash = below.indexOf('/');
        SystemMap map = maps.get(slash < 0 ? below : below.substring(0, slash));
        if (map == null) {
            return Optional.empty();
        }
        if (slash < 0) {
            return Optional.of(new SystemEntry(map, Optional.empty()));
        }
        return map.find(below.substring(slash + 1))
                .map(object -> new SystemEntry(map, Optional.of(object)));
    }

    /// The absolute path of the object with this id.
    Optional<String> find(ObjectId id) {
        Optional<ObjectType> type = id.type();
        if (type.isEmpty()) {
            return Optional.empty();
        }
        String key = id.text();
        List<String> found = new ArrayList<>();
        maps.forEach(
                (name, map) -> {
                    if (!holds(map, type.get())) {
                        return;
                    }
                    if (map.find(key).filter(object -> object.id().equals(id)).isPresent()) {
                        found.add(name + "/" + key);
                        return;
                    }
                    // Some objects are listed by name, not by id.
                    if (isNamed(type.get())) {
                        map.keys().stream()
                                .filter(
                                        other ->
                                                map.find(other)
                                                        .filter(object -> object.id().equals(id))
                                                        .isPresent())
                                .forEach(other -> found.add(name + "/" + other));
                    }
                });
        return found.isEmpty() ? Optional.empty() : Optional.of(path + "/" + found.getFirst());
    }

    private static boolean isNamed(ObjectType type) {
        return switch (type) {
            case TABLET_CELL_BUNDLE, ACCOUNT, USER, GROUP, DOMESTIC_MEDIUM, DOCUMENT -> true;
            default -> false;
        };
    }

    private static boolean holds(SystemMap map, ObjectType type) {
        return switch (type) {
            case TABLET_CELL -> map.type() == ObjectType.TABLET_CELL_MAP;
            case TABLET_CELL_BUNDLE -> map.type() == ObjectType.TABLET_CELL_BUNDLE_MAP;
            case TABLET -> map.type() == ObjectType.TABLET_MAP;
            case TABLET_ACTION -> map.type() == ObjectType.TABLET_ACTION_MAP;
            case ACCOUNT -> map.type() == ObjectType.ACCOUNT_MAP;
            case USER -> map.type() == ObjectType.USER_MAP;
            case GROUP -> map.type() == ObjectType.GROUP_MAP;
            case DOMESTIC_MEDIUM -> map.type() == ObjectType.MEDIUM_MAP;
            case DOCUMENT -> map.type() == ObjectType.MAP_NODE;
            case LOCK -> map.type() == ObjectType.LOCK_MAP;
            case TRANSACTION, NESTED_TRANSACTION -> map.type() == ObjectType.TRANSACTION_MAP;
            default -> false;
        };
    }
}
