package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallerHeadersTest {
    /// Headers may have 64 KB, and a connection lives longer than its calls.
    @Test
    void aConnectionRemembersNoLongToken() {
        assertThat(CallerHeaders.isRemembered(null)).isTrue();
        assertThat(CallerHeaders.isRemembered("t".repeat(1_000))).isTrue();
        assertThat(CallerHeaders.isRemembered("t".repeat(60_000))).isFalse();
    }
}
