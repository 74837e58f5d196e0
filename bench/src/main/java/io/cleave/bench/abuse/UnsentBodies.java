package io.cleave.bench.abuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sends requests to the HTTP port that announce a body but never send it.
record UnsentBodies(int posts) implements Attack {
    /// How long to wait for an answer that may have arrived already.
    private static final Duration READ_LIMIT = Duration.ofMillis(2);

    private static final Duration SEND_LIMIT = Duration.ofSeconds(5);
    private static final int BODY_BYTES = 1_000;

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        byte[] head =
                """
                POST /compact?table=none HTTP/1.1\r
                Host: localhost:%d\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                """
                        .formatted(target.httpPort(), BODY_BYTES)
                        .getBytes(StandardCharsets.US_ASCII);
        List<StampedSocket> sockets = new ArrayList<>();
        for (int post = 0; post < posts; post++) {
            try {
                var socket =
                        StampedSocket.connect(
                                Target.attacker(), target.http(), SEND_LIMIT, READ_LIMIT);
                sockets.add(socket);
                socket.send(head);
            } catch (IOException e) {
                endings.add(Ending.closed(String.valueOf(e.getMessage())));
            }
        }
        deadline.await();
        for (StampedSocket socket : sockets) {
            endings.add(ending(socket));
            socket.close();
        }
    }

    private static Ending ending(StampedSocket socket) {
        try {
            String answer = new String(socket.read(), StandardCharsets.UTF_8);
            if (answer.isEmpty()) {
                return Ending.closed("the server closed it without a word");
            }
            String[] words = answer.split(" ", 3);
            int body = answer.indexOf("\r\n\r\n");
            return new Ending(
                    "HTTP " + (words.length > 1 ? words[1] : "?"),
                    body < 0 ? "" : answer.substring(body).strip());
        } catch (IOException nothing) {
            return Ending.UNFINISHED;
        }
    }
}
