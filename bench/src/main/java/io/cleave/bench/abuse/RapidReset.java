package io.cleave.bench.abuse;

import java.io.ByteArrayOutputStream;
import java.util.Collections;

/// Resets calls as soon as they are begun, on several connections. When the server ends a
/// connection, a new one replaces it.
record RapidReset(int lanes, int resetsEach) implements Attack {
    private static final int PAIRS_A_WRITE = 200;

    @Override
    public void run(Target target, Endings endings, Deadline deadline) throws InterruptedException {
        byte[] headers = QuerySession.headers(Method.EXECUTE_QUERY, target.database());
        FrameLane.Frames pairs = firstStream -> pairs(headers, firstStream);
        FrameLane.runAll(
                Collections.nCopies(lanes, new FrameLane(pairs, PAIRS_A_WRITE, resetsEach)),
                target,
                endings,
                deadline);
    }

    private static byte[] pairs(byte[] headers, int firstStream) {
        var frames = new ByteArrayOutputStream();
        for (int pair = 0; pair < PAIRS_A_WRITE; pair++) {
            int stream = firstStream + 2 * pair;
            frames.writeBytes(Frame.of(Frame.HEADERS, Frame.END_HEADERS, stream, headers));
            frames.writeBytes(Frame.ofInt(Frame.RST_STREAM, stream, Frame.CANCEL));
        }
        return frames.toByteArray();
    }
}
