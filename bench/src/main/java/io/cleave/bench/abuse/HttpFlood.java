package io.cleave.bench.abuse;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sends one HTTP request on each of many connections. Answers are read when the attack ends, and
/// only their beginning.
final class HttpFlood {
    /// How long to wait for an answer that may have arrived already.
    private static final Duration READ_LIMIT = Duration.ofMillis(2);

    private static final Duration SEND_LIMIT = Duration.ofSeconds(5);

    private final InetSocketAddress to;
    private final int connections;
    private final byte[] request;

    HttpFlood(InetSocketAddress to, int connections, byte[] request) {
        this.to = to;
        this.connections = connections;
        this.request = request;
    }

    void run(Endings endings, Deadline deadline) throws IOException, InterruptedException {
        List<StampedSocket> sockets = new ArrayList<>();
        for (int count = 0; count < connections; count++) {
            try {
                var socket = StampedSocket.connect(Target.attacker(), to, SEND_LIMIT, READ_LIMIT);
                sockets.add(socket);
                socket.send(request);
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
            String status = words.length > 1 ? words[1] : "?";
            int body = answer.indexOf("\r\n\r\n");
            return new Ending(
                    "HTTP " + status,
                    // The body of a good answer may be rows in binary.
                    body < 0 || status.equals("200") ? "" : answer.substring(body).strip());
        } catch (IOException nothing) {
            return Ending.UNFINISHED;
        }
    }
}
