package io.cleave.bench.abuse;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sends a total of `allFrames` frames, as fast as the server accepts them. When the server ends
/// the connection, the rest goes over a new one.
record FrameLane(Frames frames, int framesAWrite, int allFrames) {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int MAX_CONNECTIONS = 25;
    private static final Duration LAST_WORD_LIMIT = Duration.ofMillis(300);

    /// The frames of one write. Their first stream has this number.
    interface Frames {
        byte[] from(int firstStream);
    }

    static void runAll(List<FrameLane> lanes, Target target, Endings endings, Deadline deadline)
            throws InterruptedException {
        List<Thread> running = new ArrayList<>();
        for (FrameLane lane : lanes) {
            running.add(
                    Thread.ofPlatform().daemon().start(() -> lane.run(target, endings, deadline)));
        }
        for (Thread thread : running) {
            thread.join();
        }
    }

    private void run(Target target, Endings endings, Deadline deadline) {
        int sent = 0;
        for (int connection = 0;
                connection < MAX_CONNECTIONS && sent < allFrames && !deadline.isOver();
                connection++) {
            try (var opened = target.attack(WINDOW_BYTES)) {
                sent += send(opened, allFrames - sent, deadline);
                Ending ending = opened.ending();
                endings.add(ending == null ? Ending.UNFINISHED : ending);
            } catch (IOException e) {
                endings.add(Ending.closed(String.valueOf(e.getMessage())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        endings.add(sent, Ending.SENT);
    }

    private int send(Http2Connection connection, int most, Deadline deadline)
            throws InterruptedException {
        int sent = 0;
        try {
            while (sent < most && connection.ending() == null && !deadline.isOver()) {
                connection.raw(frames.from(1 + 2 * sent));
                sent += framesAWrite;
            }
        } catch (IOException ended) {
            // The connection will report why it ended.
        }
        connection.awaitEnding(LAST_WORD_LIMIT);
        return sent;
    }
}
