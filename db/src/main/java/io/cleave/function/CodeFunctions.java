package io.cleave.function;

import io.cleave.function.call.Registry;

import java.util.List;

/// The YQL functions that create and print code at compile time. None of them is supported: an
/// expression is compiled only from its text.
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

    static void register(Registry registry) {
        REFUSED.forEach(registry::refuse);
    }
}
