package io.cleave.bench.abuse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Opens calls and leaves them open. Then each SETTINGS frame changes their windows some thousand
/// times.
record SettingsOnManyCalls(int calls) implements Attack {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int CALLS_A_WRITE = 100;

    /// As many settings as fit into a frame of 16 KB.
    private static final int SETTINGS_A_FRAME = Frame.MAX_PAYLOAD_BYTES / 6;

    private static final int FRAMES = 20;
    private static final int PAUSE_MILLIS = 100;

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        byte[] headers = QuerySession.headers(Method.EXECUTE_QUERY, target.database());
        try (var connection = target.attack(WINDOW_BYTES)) {
            List<CompletableFuture<Ending>> opened = new ArrayList<>();
            try {
                open(connection, headers, opened, deadline);
                byte[] settings = Frame.settings(settings());
                for (int frame = 0; frame < FRAMES && !deadline.isOver(); frame++) {
                    connection.raw(settings);
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            } catch (IOException ended) {
                // The calls report how the connection ended.
            }
            if (connection.ending() == null) {
                deadline.await();
            }
            for (CompletableFuture<Ending> call : opened) {
                endings.add(deadline.of(call));
            }
        }
    }

    private void open(
            Http2Connection connection,
            byte[] headers,
            List<CompletableFuture<Ending>> opened,
            Deadline deadline)
            throws IOException {
        while (opened.size() < calls && !deadline.isOver()) {
            List<Ask<?>> some = new ArrayList<>();
            for (int call = 0; call < CALLS_A_WRITE; call++) {
                some.add(new Ask<>(Method.EXECUTE_QUERY));
            }
            some.forEach(call -> opened.add(call.ending()));
            connection.beginAll(some, headers);
        }
    }

    private static int[] settings() {
        int[] pairs = new int[2 * SETTINGS_A_FRAME];
        for (int index = 0; index < SETTINGS_A_FRAME; index++) {
            pairs[2 * index] = Frame.SETTING_INITIAL_WINDOW;
            pairs[2 * index + 1] = WINDOW_BYTES + index;
        }
        return pairs;
    }
}
