package io.cleave.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndingsTest {
    @Test
    void aRefusalNamesItsLimit() {
        assertThat(new Ending("OVERLOADED", "maximum allowed: 1000").namesLimit()).isTrue();
        assertThat(new Ending("OVERLOADED", "try again").namesLimit()).isFalse();
        assertThat(new Ending("OVERLOADED", "").namesLimit()).isFalse();
        assertThat(Ending.ofReset(7).namesLimit()).isTrue();
        assertThat(Ending.ofReset(2).namesLimit()).isFalse();
        assertThat(Ending.ofGoAway(11, "too_many_pings").namesLimit()).isTrue();
    }

    @Test
    void anAnswerIsNoRefusal() {
        assertThat(Ending.SUCCESS.isRefused()).isFalse();
        assertThat(Ending.UNFINISHED.isRefused()).isFalse();
        assertThat(new Ending("HTTP 404", "").isRefused()).isFalse();
        assertThat(new Ending("HTTP 503", "").isRefused()).isTrue();
        assertThat(Ending.closed("").isRefused()).isTrue();
    }

    @Test
    void linesGoFromOneProcessToAnother() {
        var sent = new Endings();
        sent.add(Ending.SUCCESS);
        sent.add(Ending.SUCCESS);
        sent.add(new Ending("OVERLOADED", "first\nline"));

        var received = new Endings();
        sent.lines().lines().forEach(received::addLine);

        assertThat(received.lines()).isEqualTo("1\tOVERLOADED\tfirst line\n2\tSUCCESS\t\n");
        assertThat(received.count(Ending::isRefused)).isEqualTo(1);
    }
}
