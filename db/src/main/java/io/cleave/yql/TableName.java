package io.cleave.yql;

import io.cleave.base.Issue.Position;

/// A table as the text names it: a path, absolute or relative, or a `$name` whose value is one
/// (`text` then begins with the dollar and `named` is true).
public record TableName(Position at, String text, boolean named) {}
