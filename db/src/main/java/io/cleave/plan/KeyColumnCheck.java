package io.cleave.plan;

import io.cleave.schema.Table;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;

/// Whether a field of a relation is a key column of the table, or of the index, that the relation
/// reads.
final class KeyColumnCheck {
    private KeyColumnCheck() {}

    static boolean has(Relation relation, int field) {
        return switch (relation) {
            case Relation.TableRows(Table table) -> table.isKey(field);
            case Relation.IndexRows rows -> {
                Table indexTable = rows.indexTable();
                int place = new IndexColumns(rows.table(), indexTable).of(field);
                yield place >= 0 && indexTable.isKey(place);
            }
            case Relation.Filter filter -> has(filter.input(), field);
            case Relation.Project project ->
                    project.values().get(field) instanceof Typed.Input(_, int below)
                            && has(project.input(), below);
            default -> false;
        };
    }
}
