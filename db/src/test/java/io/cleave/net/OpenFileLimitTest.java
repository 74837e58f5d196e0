package io.cleave.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class OpenFileLimitTest {
    private static int connections(String limit) {
        return OpenFileLimit.connections(
                4_000,
                List.of(
                        "Limit                     Soft Limit           Hard Limit           Units",
                        "Max processes             100                  100            processes",
                        "Max open files            " + limit + "           files     "));
    }

    @Test
    void halfOfTheFilesMayBeConnections() {
        assertThat(connections("1024                 4096")).isEqualTo(512);
        assertThat(connections("1                    1")).isEqualTo(1);
    }

    @Test
    void aHighLimitChangesNothing() {
        assertThat(connections("524288               524288")).isEqualTo(4_000);
        assertThat(connections("unlimited            unlimited")).isEqualTo(4_000);
        assertThat(OpenFileLimit.connections(4_000, List.of())).isEqualTo(4_000);
    }
}
