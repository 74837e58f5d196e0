package io.cleave.analysis;

import io.cleave.function.call.Dialect;
import io.cleave.value.Type;

import java.util.Map;

/// Options that are fixed before a text is analyzed: the root of relative paths, the default
/// dialect of the service, and the types of the parameters that were sent with the text.
public record AnalysisOptions(String database, Dialect dialect, Map<String, Type> sent) {
    public AnalysisOptions {
        sent = Map.copyOf(sent);
    }
}
