package io.cleave.bench.abuse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Sends large messages without their last bytes, several on each of several connections.
record UnfinishedMessages(int connections, int messagesEach, int messageBytes) implements Attack {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int MISSING_BYTES = 1_000;

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        byte[] headers = QuerySession.headers(Method.EXECUTE_QUERY, target.database());
        List<Http2Connection> opened = new ArrayList<>();
        List<CompletableFuture<Ending>> sent = new ArrayList<>();
        for (int connection = 0; connection < connections; connection++) {
            Http2Connection each = target.attack(WINDOW_BYTES);
            opened.add(each);
            List<Call> calls = new ArrayList<>();
            for (int message = 0; message < messagesEach; message++) {
                var call = new Ask<>(Method.EXECUTE_QUERY);
                each.begin(call, headers);
                calls.add(call);
                sent.add(call.ending());
            }
            Thread.ofPlatform().daemon().start(() -> send(each, calls));
        }
        for (CompletableFuture<Ending> each : sent) {
            endings.add(deadline.of(each));
        }
        opened.forEach(Http2Connection::close);
    }

    /// Sends a piece of each message in turn.
    private void send(Http2Connection connection, List<Call> calls) {
        byte[] prefix = new byte[1 + Integer.BYTES];
        prefix[1] = (byte) (messageBytes >> 24);
        prefix[2] = (byte) (messageBytes >> 16);
        prefix[3] = (byte) (messageBytes >> 8);
        prefix[4] = (byte) messageBytes;
        try {
            for (Call call : calls) {
                connection.send(call, prefix, false);
            }
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int sent = 0; sent < messageBytes - MISSING_BYTES; sent += CHUNK_BYTES) {
                int left = messageBytes - MISSING_BYTES - sent;
                byte[] next = left >= CHUNK_BYTES ? chunk : new byte[left];
                for (Call call : calls) {
                    connection.send(call, next, false);
                }
            }
        } catch (IOException ended) {
            // The calls report how the connection ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
