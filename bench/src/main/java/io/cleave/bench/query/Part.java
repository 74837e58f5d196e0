package io.cleave.bench.query;

import java.util.List;

/// A part of the benchmark, which `--only` names.
interface Part {
    /// The most first: one client alone asks so little that a JVM would go on compiling throughout.
    List<Integer> CLIENT_COUNTS = List.of(64, 16, 1);

    void run(Servers servers, Bars bars) throws Exception;

    static String with(int clientCount) {
        return clientCount == 1 ? ", 1 client" : ", " + clientCount + " clients";
    }
}
