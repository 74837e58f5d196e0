package io.cleave.analysis;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Index;
import io.cleave.yql.Statement.ColumnAt;
import io.cleave.yql.Statement.IndexDefinition;

import java.util.List;
import java.util.Locale;

/// Indexes in CREATE TABLE and ALTER TABLE.
final class IndexDefinitions {
    private IndexDefinitions() {}

    static Index index(IndexDefinition index, Index.State state) {
        if (index.subtype().isPresent()) {
            refuseSubtype(index, index.subtype().get());
        }
        if (index.local()) {
            throw AnalysisContext.error(index.at(), "local index must specify subtype with USING");
        }
        if (index.unique() && index.async()) {
            throw AnalysisContext.error(
                    index.at(), "unique index can only be GLOBAL [SYNC]: " + index.name());
        }
        if (!index.settings().isEmpty()) {
            throw AnalysisContext.error(
                    index.settings().getFirst().at(),
                    "Unknown index setting: " + index.settings().getFirst().name());
        }
        return new Index(
                index.name(),
                index.unique()
                        ? Index.Kind.UNIQUE
                        : index.async() ? Index.Kind.ASYNC : Index.Kind.SYNC,
                names(index.columns()),
                names(index.cover()),
                state);
    }

    private static void refuseSubtype(IndexDefinition index, String subtype) {
        switch (subtype.toLowerCase(Locale.ROOT)) {
            case "vector_kmeans_tree",
                    "fulltext_plain",
                    "fulltext_relevance",
                    "json",
                    "bloom_filter",
                    "bloom_ngram_filter",
                    "min_max" ->
                    throw AnalysisContext.unsupported(
                            index.at(), "INDEX " + index.name() + " USING " + subtype);
            default ->
                    throw new StatusException(
                            Status.GENERIC_ERROR,
                            subtype.toUpperCase(Locale.ROOT) + " index subtype is not supported",
                            index.at());
        }
    }

    private static List<String> names(List<ColumnAt> columns) {
        return columns.stream().map(ColumnAt::name).toList();
    }
}
