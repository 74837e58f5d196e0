package io.cleave.bookkeeper;

import io.cleave.log.FencedException;
import io.cleave.log.LogOptions;

import java.util.concurrent.Semaphore;

/// The process of a writer that is going to be paused: `STORAGE PATH`. Prints a line `ack POSITION
/// NUMBER` for each record that was acknowledged, `fenced` when it hears that it is, and ends.
final class RivalWriter {
    private static final int IN_FLIGHT = 32;

    private RivalWriter() {}

    public static void main(String[] args) throws Exception {
        BookKeeperSettings settings = BookKeeperSettings.parse(args[0]);
        try (var client = TestClients.open(settings)) {
            var log = client.log(args[1], new LogOptions(4L << 20, 1L << 20));
            var writer = log.openWriter();
            System.out.println("epoch " + writer.epoch());
            var room = new Semaphore(IN_FLIGHT);
            for (long number = 0; ; number++) {
                room.acquire();
                long own = number;
                writer.append(
                        LogLoad.record(writer.epoch(), own),
                        (position, failure) -> {
                            if (failure == null) {
                                System.out.println("ack " + position + " " + own);
                            } else {
                                System.out.println(
                                        failure instanceof FencedException ? "fenced" : failure);
                                System.out.flush();
                                Runtime.getRuntime().halt(3);
                            }
                            room.release();
                        });
            }
        }
    }
}
