package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.log.Log;
import io.cleave.log.LogCursor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// What a [RivalWriter] has printed.
record Acks(long epoch, Map<Long, Long> positions, boolean isFenced) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static Acks read(Path output) throws IOException {
        long epoch = 0;
        Map<Long, Long> positions = new TreeMap<>();
        boolean isFenced = false;
        String text = Files.readString(output);
        // The last line may be cut.
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "epoch" -> epoch = Long.parseLong(words[1]);
                case "ack" -> positions.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
                case "fenced" -> isFenced = true;
                default -> assertThat(line).isEmpty();
            }
        }
        return new Acks(epoch, positions, isFenced);
    }

    static Acks await(Path output, int count) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Acks acks = read(output);
        while (acks.positions.size() < count) {
            assertThat(System.nanoTime()).as("%s", output).isLessThan(deadline);
            Thread.sleep(50);
            acks = read(output);
        }
        return acks;
    }

    void check(Log log) {
        long found = 0;
        try (LogCursor cursor = log.read(0)) {
            while (cursor.next()) {
                Long number = positions.get(cursor.position());
                if (number != null) {
                    ByteBuffer record = ByteBuffer.wrap(cursor.record().array());
                    assertThat(record.getLong()).isEqualTo(epoch);
                    assertThat(record.getLong()).isEqualTo(number);
                    found++;
                }
            }
        }
        assertThat(found).isEqualTo(positions.size());
    }
}
