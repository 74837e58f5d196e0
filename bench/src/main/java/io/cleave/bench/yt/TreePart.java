package io.cleave.bench.yt;

import io.cleave.bench.Figures;
import io.cleave.bench.ServerProcess;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// How long large answers of the tree take, from the request to the last byte.
final class TreePart {
    private static final int CHILDREN = 10_000;
    private static final int WIDE = 100;
    private static final int DEEP = 10;
    private static final int REPEATS = 50;
    private static final int BATCH = 500;

    private final YtTables calls;

    TreePart(ServerProcess server) {
        calls = new YtTables(server);
    }

    void run(Figures figures) throws Exception {
        List<String> paths = new ArrayList<>();
        for (int child = 0; child < CHILDREN; child++) {
            paths.add("//tmp/wide/child-" + child);
        }
        create(paths);
        paths.clear();
        for (int child = 0; child < WIDE; child++) {
            var path = new StringBuilder("//tmp/deep/child-" + child);
            for (int level = 1; level < DEEP; level++) {
                path.append("/level-").append(level);
            }
            paths.add(path.toString());
        }
        create(paths);
        figures.printWithBarAtMost(
                20,
                "list of 10,000 children, median",
                millis("list", "{path=\"//tmp/wide\"}", CHILDREN * 8),
                "ms");
        figures.printWithBarAtMost(
                20,
                "get of 1,000 nodes, median",
                millis("get", "{path=\"//tmp/deep\"}", WIDE * DEEP * 4),
                "ms");
    }

    private void create(List<String> paths) throws Exception {
        for (int from = 0; from < paths.size(); from += BATCH) {
            var requests = new StringBuilder("{requests=[");
            for (String path : paths.subList(from, Math.min(paths.size(), from + BATCH))) {
                requests.append(
                        "{command=create;parameters={type=map_node;recursive=%%true;path=\"%s\"}};"
                                .formatted(path));
            }
            try (var link = new HttpLink(calls.address())) {
                byte[] body = requests.append("]}").toString().getBytes(StandardCharsets.UTF_8);
                String answer =
                        new String(
                                link.send(
                                        link.request("POST", "/api/v4/execute_batch", "{}", body)),
                                StandardCharsets.UTF_8);
                if (answer.contains("error")) {
                    throw new IllegalStateException(answer.substring(0, 500));
                }
            }
        }
    }

    private double millis(String command, String parameters, int leastBytes) throws Exception {
        List<Double> all = new ArrayList<>();
        try (var link = new HttpLink(calls.address())) {
            byte[] request = link.request("GET", "/api/v4/" + command, parameters, new byte[0]);
            for (int repeat = 0; repeat < REPEATS; repeat++) {
                long from = System.nanoTime();
                byte[] answer = link.send(request);
                all.add((System.nanoTime() - from) / 1e6);
                if (answer.length < leastBytes) {
                    throw new IllegalStateException(
                            "an answer of %d bytes".formatted(answer.length));
                }
            }
        }
        return YtBenchmark.median(all);
    }
}
