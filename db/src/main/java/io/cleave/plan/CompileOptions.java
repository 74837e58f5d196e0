package io.cleave.plan;

import io.cleave.analysis.Dialect;

/// What a text is compiled for: the database that relative paths begin at, and the service whose
/// reading of the language holds.
public record CompileOptions(String database, Dialect dialect) {}
