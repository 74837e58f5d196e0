package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tree.CypressChange;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/// Creates and removes bundles and their cells. The cells of a server are fixed at its start, so a
/// "new" cell of a bundle is taken from the bundle `default`.
record CellChanges(TreeService service) {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{1,64}");

    ObjectId create(TreeEditor editor, ObjectType type, YsonNode.Members attributes) {
        if (editor.transaction() != null) {
            throw TreeErrors.generic("Cells and bundles cannot be created in a transaction");
        }
        return type == ObjectType.TABLET_CELL
                ? createCell(attributes)
                : createBundle(editor, attributes);
    }

    private ObjectId createBundle(TreeEditor editor, YsonNode.Members attributes) {
        String name =
                attributes
                        .member("name")
                        .flatMap(YsonNode::string)
                        .orElseThrow(() -> TreeErrors.noAttribute("name"));
        if (!NAME.matcher(name).matches()) {
            throw TreeErrors.generic(
                    "Invalid name of a tablet cell bundle: \"%s\"".formatted(name));
        }
        if (service.objects().bundles().contains(name)) {
            throw new YtException(
                    YtCodes.ALREADY_EXISTS,
                    "Tablet cell bundle \"%s\" already exists".formatted(name));
        }
        var stored = new LinkedHashMap<>(attributes.members());
        stored.remove(Bytes.utf8("name"));
        ObjectId id = ObjectId.named(ObjectType.TABLET_CELL_BUNDLE, name);
        long now = service.tree().env().wallMicros();
        editor.apply(
                new CypressChange.PutRow(
                        new CypressNode(
                                path(name),
                                id,
                                ObjectType.TABLET_CELL_BUNDLE,
                                Bytes.EMPTY,
                                stored.isEmpty()
                                        ? Bytes.EMPTY
                                        : YsonWriter.write(
                                                new YsonNode.Members(stored),
                                                YsonWriter.Format.BINARY),
                                editor.user(),
                                now,
                                now,
                                1,
                                1)));
        return id;
    }

    private String path(String bundle) {
        return SystemObjects.bundlePath(service.tree().database(), bundle);
    }

    private ObjectId createCell(YsonNode.Members attributes) {
        String bundle =
                attributes
                        .member("tablet_cell_bundle")
                        .flatMap(YsonNode::string)
                        .orElse(SystemObjects.DEFAULT_BUNDLE);
        if (!service.objects().bundles().contains(bundle)) {
            throw new YtException(
                    YtCodes.RESOLVE_ERROR, "No such tablet cell bundle \"%s\"".formatted(bundle));
        }
        List<Long> spare =
                service
                        .tree()
                        .view()
                        .bundles()
                        .getOrDefault(SystemObjects.DEFAULT_BUNDLE, List.of())
                        .stream()
                        .filter(cell -> !service.objects().hasTablets(cell))
                        .toList();
        int all = bundleCells(SystemObjects.DEFAULT_BUNDLE).size();
        if (bundle.equals(SystemObjects.DEFAULT_BUNDLE) || spare.isEmpty() || all < 2) {
            throw TreeErrors.generic(
                    "Cannot create a tablet cell: the cells of this server are fixed at its start"
                            + " (--cells), and bundle \"default\" can spare none");
        }
        long cell = spare.getLast();
        List<Long> cells = new ArrayList<>(bundleCells(bundle));
        cells.add(cell);
        put(bundle, cells);
        return SystemObjects.cellId(cell);
    }

    private List<Long> bundleCells(String bundle) {
        return service.tree().view().bundles().getOrDefault(bundle, List.of());
    }

    private void put(String bundle, List<Long> cells) {
        try {
            service.bundles().put(bundle, cells);
        } catch (StatusException e) {
            throw TreeErrors.of(e);
        }
    }

    /// Removes a bundle without cells, or gives a cell back to the bundle `default`.
    void remove(TreeEditor editor, TreeNode node) {
        switch (node.type()) {
            case TABLET_CELL_BUNDLE -> {
                if (!bundleCells(node.name()).isEmpty()) {
                    throw TreeErrors.generic(
                            "Cannot remove tablet cell bundle \"%s\" since it has active tablet cells"
                                    .formatted(node.name()));
                }
                editor.apply(new CypressChange.RemoveRow(node.path()));
            }
            case TABLET_CELL -> {
                long cell = node.id().number();
                String bundle =
                        service.tree().view().bundles().entrySet().stream()
                                .filter(each -> each.getValue().contains(cell))
                                .findFirst()
                                .orElseThrow()
                                .getKey();
                if (bundle.equals(SystemObjects.DEFAULT_BUNDLE)) {
                    throw TreeErrors.generic(
                            "Cannot remove tablet cell %s: the cells of this server are fixed at its start"
                                    .formatted(node.id()));
                }
                List<Long> left = new ArrayList<>(bundleCells(bundle));
                left.remove(cell);
                put(bundle, left);
            }
            default ->
                    throw TreeErrors.generic(
                            "Node %s cannot be removed"
                                    .formatted(editor.reader().show(node.path())));
        }
    }
}
