package io.cleave.plan;

import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.schema.Table;

/// Which fields of a relation are columns of the key by which it finds its rows: of the table that
/// it reads, or of the index.
final class KeyColumns {
    private KeyColumns() {}

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
