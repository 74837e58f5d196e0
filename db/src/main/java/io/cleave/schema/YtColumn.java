package io.cleave.schema;

import io.cleave.base.Bytes;

import java.util.Optional;
import java.util.OptionalLong;

/// What YTsaurus' API knows of a column beyond its type in YQL.
///
/// @param type the declared type (`type_v3`) as YSON in binary form; it includes whether the column
///   is required
/// @param expression the expression of a computed column, in YTsaurus' query language
/// @param materialized whether the values of a computed column are stored
/// @param lock the column's lock group; empty for the primary one
/// @param group the columns that are stored together; see [ColumnFamily]
public record YtColumn(
        Bytes type,
        Optional<String> expression,
        boolean materialized,
        Optional<String> lock,
        Optional<String> group,
        OptionalLong maxInlineHunkSize) {}
