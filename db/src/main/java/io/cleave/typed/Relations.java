package io.cleave.typed;

import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;

/// Functions that inspect whole relation trees.
public final class Relations {
    private Relations() {}

    /// The relations directly below.
    public static List<Relation> inputs(Relation relation) {
        return switch (relation) {
            case Relation.Single _,
                    Relation.TableRows _,
                    Relation.IndexRows _,
                    Relation.ListRows _,
                    Relation.ConstantRows _ ->
                    List.of();
            case Relation.Filter filter -> List.of(filter.input());
            case Relation.Project project -> List.of(project.input());
            case Relation.Join join -> List.of(join.left(), join.right());
            case Relation.Group group -> List.of(group.input());
            case Relation.Expand expand -> List.of(expand.input());
            case Relation.Window window -> List.of(window.input());
            case Relation.Flatten flatten -> List.of(flatten.input());
            case Relation.FirstOfKey first -> List.of(first.input());
            case Relation.Distinct distinct -> List.of(distinct.input());
            case Relation.Sort sort -> List.of(sort.input());
            case Relation.Limit limit -> List.of(limit.input());
            case Relation.Concat concat -> concat.inputs();
            case Relation.Kept kept -> {
                List<Relation> all = new ArrayList<>();
                all.add(kept.input());
                all.addAll(kept.outputs());
                yield all;
            }
            case Relation.KeptRows _ -> List.of();
            case Relation.Compared compared -> List.of(compared.left(), compared.right());
        };
    }

    /// Whether the relation reads rows of the table or of one of its indexes.
    public static boolean reads(Relation relation, Table table) {
        if (relation instanceof Relation.TableRows(Table read)) {
            return read.id() == table.id() || read.ownerId() == table.id();
        }
        if (relation instanceof Relation.IndexRows rows) {
            return rows.table().id() == table.id();
        }
        return inputs(relation).stream().anyMatch(input -> reads(input, table));
    }

    /// Whether the relation reads rows of any table.
    public static boolean readsTables(Relation relation) {
        return relation instanceof Relation.TableRows
                || relation instanceof Relation.IndexRows
                || inputs(relation).stream().anyMatch(Relations::readsTables);
    }
}
