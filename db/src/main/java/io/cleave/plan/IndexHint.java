package io.cleave.plan;

import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.analysis.TypedTree;
import io.cleave.schema.Tables;
import io.cleave.value.Type;

import java.util.Optional;

/// For EXPLAIN: which index would have served a WHERE better than the primary key does.
final class IndexHint {
    private IndexHint() {}

    static Optional<String> of(Node.Filter filter, Tables tables) {
        if (!(filter.input() instanceof Node.Read read) || read.table().indexes().isEmpty()) {
            return Optional.empty();
        }
        Typed predicate =
                TypedTree.mapInputs(
                        filter.predicate(),
                        part ->
                                part instanceof Typed.Input(Type type, int place)
                                        ? new Typed.Input(type, read.columns().get(place))
                                        : part);
        return new IndexChoice(tables, true)
                .best(read.table(), predicate, IndexChoice.score(read.keys()))
                .map(Relation.IndexRows::index)
                .map(index -> "VIEW " + index.name() + " would read fewer rows");
    }
}
