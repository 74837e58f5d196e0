/// YTsaurus' query language. A text becomes a typed tree. `plan` and `exec` use it like a tree of
/// YQL.
///
/// A mistake in a text is a [io.cleave.yt.error.YtException] with YTsaurus' message. No state is
/// kept between texts, so any number of threads may compile at the same time.
///
/// Begin with [YtParser], which makes the syntax tree ([YtQuery], [YtExpression]); then
/// [YtExpressionTyping], which types one expression.
@NullMarked
package io.cleave.ytql;

import org.jspecify.annotations.NullMarked;
