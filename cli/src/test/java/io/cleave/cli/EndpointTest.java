package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @Test
    void theSchemeAndThePortMayBeLeftOut() {
        assertThat(Endpoint.parse("grpc://db:9/a/b")).isEqualTo(new Endpoint("db", 9, "/a/b"));
        assertThat(Endpoint.parse("db/local")).isEqualTo(new Endpoint("db", 2136, "/local"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "db", "db/", "grpc://:9/local", "http://db/local", "grpc://d b/l"})
    void whatIsNoEndpointIsShownOne(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Endpoint.DEFAULT);
    }
}
