package io.cleave.ytql;

import io.cleave.function.yt.UntypedExpression;
import io.cleave.function.yt.YtFunctions;

import java.util.Optional;

/// The names that an expression may use, and whether it may call aggregate functions.
interface YtScope {
    /// The column that a reference means; empty if there is none.
    Optional<UntypedExpression> column(YtExpression.Reference reference);

    /// Whether a column hides an alias of the same name. It does after GROUP BY.
    boolean columnsFirst();

    /// The result of an aggregate function. Throws if aggregate functions are not allowed here.
    UntypedExpression aggregate(YtExpression.Call call, Arguments arguments);

    /// Types the arguments of an aggregate function in the scope of its rows.
    interface Arguments {
        YtFunctions.Aggregation in(YtScope scope);
    }
}
