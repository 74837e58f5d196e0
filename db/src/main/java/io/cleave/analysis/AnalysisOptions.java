package io.cleave.analysis;

import io.cleave.value.Type;

import java.util.Map;

/// What is fixed before a text is read: the database that relative paths begin at, how the service
/// reads it, and the types of the parameters that came with it.
public record AnalysisOptions(String database, Dialect dialect, Map<String, Type> sent) {
    public AnalysisOptions {
        sent = Map.copyOf(sent);
    }
}
