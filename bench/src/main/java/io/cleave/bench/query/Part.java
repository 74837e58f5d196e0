package io.cleave.bench.query;

import java.util.List;

/// A part of the benchmark, which `--only` names.
interface Part {
    List<Integer> CLIENT_COUNTS = List.of(1, 16, 64);

    void run(Servers servers, Bars bars) throws Exception;

    static String with(int clientCount) {
        return clientCount == 1 ? ", 1 client" : ", " + clientCount + " clients";
    }
}
