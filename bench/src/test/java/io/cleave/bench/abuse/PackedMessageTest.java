package io.cleave.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.util.zip.GZIPInputStream;

class PackedMessageTest {
    @Test
    void unpacksToItsParts() throws Exception {
        int bytes = PackedMessage.wholeBytes(1_000_000);
        byte[] packed =
                new PackedMessage(new byte[] {7}, new byte[] {1, 2}, bytes)
                        .endingWith(new byte[] {8, 9});

        byte[] unpacked = new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();

        assertThat(packed.length).isLessThan(bytes / 100);
        assertThat(unpacked).hasSize(1 + bytes + 2);
        assertThat(unpacked).startsWith(7, 1, 2, 1, 2).endsWith(1, 2, 8, 9);
    }
}
