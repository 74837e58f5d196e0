package io.cleave.bench.abuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Sends requests to the HTTP port that announce a body but never send it.
record UnsentBodies(int posts) implements Attack {
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
        new HttpFlood(target.http(), posts, head).run(endings, deadline);
    }
}
