package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.StatusException;
import io.cleave.wire.value.RequestParts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPartsTest {
    @ParameterizedTest
    @CsvSource({
        "/local/t, /local/t",
        "local/t, /local/t",
        "//local//t/, /local/t",
        "t, /local/t",
        "dir/t, /local/dir/t",
        "localities/t, /local/localities/t",
        "/other/t, /other/t",
        "/, /",
        "/local, /local",
        "local, /local"
    })
    void pathsBecomeAbsolute(String sent, String path) {
        assertThat(RequestParts.path(sent, "/local")).isEqualTo(path);
    }

    @Test
    void anEmptyPathIsRefused() {
        assertThatThrownBy(() -> RequestParts.path("", "/local"))
                .isInstanceOf(StatusException.class);
    }

    @ParameterizedTest
    @CsvSource({"/local, true", "local, true", "/local/, true", "'', true", "/other, false"})
    void databasesAreNamedWithAndWithoutSlashes(String wanted, boolean same) {
        assertThat(DatabaseHeader.names(wanted, "/local")).isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:2136, localhost, 2136",
        "[::1]:99, [::1], 99",
        "[::1], [::1], 2136",
        "db.example, db.example, 2136",
        "db.example:x, db.example:x, 2136"
    })
    void authoritiesAreSplit(String text, String host, int port) {
        assertThat(DiscoveryService.Authority.parse(text))
                .isEqualTo(new DiscoveryService.Authority(host, port));
    }
}
