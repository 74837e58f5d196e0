package io.cleave.catalog;

import io.cleave.catalog.CatalogView.Node;
import io.cleave.schema.Acl;
import io.cleave.schema.CellStage;
import io.cleave.schema.Group;
import io.cleave.schema.User;

import java.util.List;

/// A change to the catalog. Several changes are made together in one commit.
public sealed interface CatalogChange {
    /// Puts the node at its path, replacing what was there.
    record PutNode(Node node) implements CatalogChange {}

    record RemoveNode(String path) implements CatalogChange {}

    /// Replaces the places of all tablets of a table.
    record PutTablets(long tableId, List<TabletPlace> places) implements CatalogChange {
        public PutTablets {
            places = List.copyOf(places);
        }
    }

    record RemoveTablets(long tableId) implements CatalogChange {}

    /// Sets the position of a sequence: its next number is `value`, or the one after it if `used`.
    record PutSequence(long sequenceId, long value, boolean used) implements CatalogChange {}

    /// A row of the tables of users, groups and permissions.
    sealed interface AccessRow extends CatalogChange {}

    record PutUser(User user) implements AccessRow {}

    record RemoveUser(String name) implements AccessRow {}

    record PutGroup(Group group) implements AccessRow {}

    record RemoveGroup(String name) implements AccessRow {}

    /// Replaces the permissions on a path. They are removed together with the path.
    record PutAcl(String path, Acl acl) implements AccessRow {}

    /// Replaces the cells of a bundle. A bundle without cells is removed.
    record PutBundle(String name, List<Long> cellIds) implements CatalogChange {
        public PutBundle {
            cellIds = List.copyOf(cellIds);
        }
    }

    /// Adds a user cell, or puts it into another stage. Its id is never given to another cell.
    record PutCell(long cellId, CellStage stage) implements CatalogChange {}

    /// Ends a user cell whose log is gone. Its bundle is changed by another change.
    record RemoveCell(long cellId) implements CatalogChange {}

    /// A row of the table of what YTsaurus' tree knows of a path.
    sealed interface CypressRow extends CatalogChange {}

    /// Puts the record at its path, replacing what was there. It is removed together with the node
    /// at its path.
    record PutCypress(CypressNode node) implements CypressRow {}

    record RemoveCypress(String path) implements CypressRow {}
}
