package io.cleave.bench.query;

import java.util.List;

/// A part of the benchmark, which `--only` can select.
interface Part {
    /// The largest number first: with one client, there are so few requests that a JVM would be
    /// compiling all the time.
    List<Integer> CLIENT_COUNTS = List.of(64, 16, 1);

    void run(Servers servers, Bars bars) throws Exception;

    static String with(int clientCount) {
        return clientCount == 1 ? ", 1 client" : ", " + clientCount + " clients";
    }
}
