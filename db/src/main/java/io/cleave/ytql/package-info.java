/// YTsaurus' query language: a text becomes a typed tree, which `plan` and `exec` then treat as
/// they treat a tree of YQL.
///
/// A mistake in a text is a [io.cleave.yt.error.YtException] with YTsaurus' words. Nothing here has
/// state between texts; any number of threads may compile at once.
///
/// Begin with [YtParser], which makes the syntax tree ([YtQuery], [YtExpression]); then
/// [YtExpressionTyping], which types one expression.
@NullMarked
package io.cleave.ytql;

import org.jspecify.annotations.NullMarked;
