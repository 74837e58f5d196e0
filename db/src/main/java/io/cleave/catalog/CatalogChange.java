package io.cleave.catalog;

import io.cleave.catalog.CatalogView.Node;
import io.cleave.schema.Acl;
import io.cleave.schema.Group;
import io.cleave.schema.User;

import java.util.List;

/// One change of the catalog; several are done together, in one commit.
public sealed interface CatalogChange {
    /// Puts the node at its path, over what was there.
    record PutNode(Node node) implements CatalogChange {}

    record RemoveNode(String path) implements CatalogChange {}

    /// The places of all tablets of a table, instead of those it had.
    record PutTablets(long tableId, List<TabletPlace> places) implements CatalogChange {
        public PutTablets {
            places = List.copyOf(places);
        }
    }

    record RemoveTablets(long tableId) implements CatalogChange {}

    /// Where a sequence goes on: at `value`, or behind it if that is `used`.
    record PutSequence(long sequenceId, long value, boolean used) implements CatalogChange {}

    /// A row of the tables of users, groups and permissions.
    sealed interface AccessRow extends CatalogChange {}

    record PutUser(User user) implements AccessRow {}

    record RemoveUser(String name) implements AccessRow {}

    record PutGroup(Group group) implements AccessRow {}

    record RemoveGroup(String name) implements AccessRow {}

    /// What was granted on a path, instead of what was before; with the path it goes away.
    record PutAcl(String path, Acl acl) implements AccessRow {}

    /// The cells of a bundle, instead of those it had; one without cells is gone.
    record PutBundle(String name, List<Long> cellIds) implements CatalogChange {
        public PutBundle {
            cellIds = List.copyOf(cellIds);
        }
    }
}
