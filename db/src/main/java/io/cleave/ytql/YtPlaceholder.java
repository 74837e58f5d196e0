package io.cleave.ytql;

import io.cleave.function.yt.YtType;

/// What a placeholder in a query stands for.
public sealed interface YtPlaceholder {
    /// A text of the language. Its tokens replace the placeholder.
    record Text(String text) implements YtPlaceholder {}

    /// A value that is sent with each run of the query. It has the type of a literal, so an integer
    /// may become another type of number.
    record Sent(YtType type) implements YtPlaceholder {}

    /// A list of values that are sent with each run of the query, for IN.
    record SentList(YtType type) implements YtPlaceholder {}
}
