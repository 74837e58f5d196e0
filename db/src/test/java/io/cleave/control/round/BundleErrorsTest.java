package io.cleave.control.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.control.round.BundleErrors.BundleError;

import org.junit.jupiter.api.Test;

class BundleErrorsTest {
    @Test
    void longTextsAreCut() {
        var errors = new BundleErrors();
        errors.add("b", "x".repeat(BundleErrors.MOST_TEXT), 1);
        errors.add("b", "y".repeat(1_000_000), 2);
        assertThat(errors.of("b"))
                .extracting(BundleError::text)
                .containsExactly(
                        "x".repeat(BundleErrors.MOST_TEXT),
                        "y".repeat(BundleErrors.MOST_TEXT) + "…");
    }

    @Test
    void anErrorThatComesAgainIsKeptOnce() {
        var errors = new BundleErrors();
        errors.add("b", "x".repeat(5000), 1);
        errors.add("b", "x".repeat(5000), 2);
        assertThat(errors.of("b")).extracting(BundleError::micros).containsExactly(2L);
    }
}
