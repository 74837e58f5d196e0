package io.cleave.bench.abuse;

import java.io.ByteArrayOutputStream;
import java.util.List;

/// Floods of frames without content. Each kind has its own connection, and all run at once: empty
/// DATA and empty CONTINUATION of an open call, PRIORITY, PING and empty SETTINGS.
record FrameFloods(int framesEach) implements Attack {
    private static final int FRAMES_A_WRITE = 500;
    private static final byte[] PRIORITY = new byte[5];
    private static final byte[] PING = new byte[8];

    @Override
    public void run(Target target, Endings endings, Deadline deadline) throws InterruptedException {
        byte[] headers = QuerySession.headers(Method.EXECUTE_QUERY, target.database());
        byte[] openCall = Frame.of(Frame.HEADERS, Frame.END_HEADERS, 1, headers);
        byte[] openHeaders = Frame.of(Frame.HEADERS, 0, 1, headers);
        FrameLane.runAll(
                List.of(
                        lane(openCall, Frame.of(Frame.DATA, 0, 1)),
                        lane(openHeaders, Frame.of(Frame.CONTINUATION, 0, 1)),
                        lane(new byte[0], Frame.of(Frame.PRIORITY, 0, 3, PRIORITY)),
                        lane(new byte[0], Frame.of(Frame.PING, 0, 0, PING)),
                        lane(new byte[0], Frame.settings())),
                target,
                endings,
                deadline);
    }

    private FrameLane lane(byte[] first, byte[] frame) {
        var flood = new ByteArrayOutputStream();
        for (int index = 0; index < FRAMES_A_WRITE; index++) {
            flood.writeBytes(frame);
        }
        byte[] frames = flood.toByteArray();
        return new FrameLane(
                stream -> stream == 1 ? Frame.joined(first, frames) : frames,
                FRAMES_A_WRITE,
                framesEach);
    }
}
