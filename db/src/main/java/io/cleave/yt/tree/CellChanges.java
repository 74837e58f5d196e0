package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.tree.CypressChange;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.LinkedHashMap;
import java.util.regex.Pattern;

/// Creates and removes bundles and their cells.
record CellChanges(TreeService service) {
    private static final int MOST_BUNDLES = 1000;

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
        if (service.objects().bundles().size() >= MOST_BUNDLES) {
            throw TreeErrors.generic(
                    "Cannot create a tablet cell bundle: there are %d, which is the most"
                            .formatted(MOST_BUNDLES));
        }
        var stored = new LinkedHashMap<>(attributes.members());
        stored.remove(Bytes.utf8("name"));
        stored.forEach((key, value) -> checkAttribute(key.utf8(), value));
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

    private static void checkAttribute(String name, YsonNode value) {
        if (BundleAttributes.NAMES.contains(name)) {
            try {
                BundleAttributes.check(name, value);
            } catch (YtException e) {
                throw BuiltinChange.refused(name, e);
            }
        }
    }

    private String path(String bundle) {
        return CellObjects.bundlePath(service.tree().database(), bundle);
    }

    private ObjectId createCell(YsonNode.Members attributes) {
        String bundle =
                attributes
                        .member(SystemObjects.BUNDLE_ATTRIBUTE)
                        .flatMap(YsonNode::string)
                        .orElse(SystemObjects.DEFAULT_BUNDLE);
        if (!service.objects().bundles().contains(bundle)) {
            throw new YtException(
                    YtCodes.RESOLVE_ERROR, "No such tablet cell bundle \"%s\"".formatted(bundle));
        }
        try {
            return CellObjects.cellId(service.bundles().createCell(bundle));
        } catch (StatusException e) {
            throw TreeErrors.of(e);
        }
    }

    /// Removes a bundle that nothing uses, or begins to remove a cell.
    void remove(TreeEditor editor, TreeNode node) {
        if (editor.transaction() != null) {
            throw TreeErrors.generic("Cells and bundles cannot be removed in a transaction");
        }
        switch (node.type()) {
            case TABLET_CELL_BUNDLE -> {
                checkUnused(editor, node.name());
                editor.apply(new CypressChange.RemoveRow(node.path()));
            }
            case TABLET_CELL -> {
                try {
                    service.bundles().removeCell(node.id().number());
                } catch (StatusException e) {
                    throw TreeErrors.of(e);
                }
            }
            case TABLET_ACTION -> service.tables().actions().remove(node.id());
            default ->
                    throw TreeErrors.generic(
                            "Node %s cannot be removed"
                                    .formatted(editor.reader().show(node.path())));
        }
    }

    private void checkUnused(TreeEditor editor, String bundle) {
        if (bundle.equals(SystemObjects.DEFAULT_BUNDLE)) {
            throw TreeErrors.generic(
                    "Cannot remove tablet cell bundle \"%s\" since it is built in"
                            .formatted(bundle));
        }
        CatalogView view = service.tree().view();
        if (view.bundles().containsKey(bundle)) {
            throw TreeErrors.generic(
                    "Cannot remove tablet cell bundle \"%s\" since it has active tablet cells"
                            .formatted(bundle));
        }
        for (Table table : view.tables()) {
            if (bundle.equals(table.attributes().get(SystemObjects.BUNDLE_ATTRIBUTE))) {
                throw TreeErrors.generic(
                        "Cannot remove tablet cell bundle \"%s\" since it is used by table %s"
                                .formatted(bundle, editor.reader().show(table.path())));
            }
        }
    }
}
