package io.cleave.yql;

import io.cleave.base.Issue.Position;

/// A table as written: an absolute or relative path, or a `$name` whose value is a path. In the
/// latter case, `text` includes the dollar and `named` is true.
public record TableName(Position at, String text, boolean named) {}
