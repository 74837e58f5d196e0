package io.cleave.analysis;

import java.util.List;

/// The functions that make and print code while a query is compiled. There is none here: an
/// expression is compiled from its text alone.
final class CodeFunctions {
    private static final List<String> REFUSED =
            List.of(
                    "FormatCode",
                    "SerializeCode",
                    "WorldCode",
                    "AtomCode",
                    "ListCode",
                    "FuncCode",
                    "LambdaCode",
                    "ReprCode",
                    "QuoteCode");

    private CodeFunctions() {}

    static void register(Functions.Registry registry) {
        REFUSED.forEach(registry::refuse);
    }
}
