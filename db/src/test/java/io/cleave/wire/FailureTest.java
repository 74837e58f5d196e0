package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.CorruptionException;
import io.cleave.base.Status;

import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void damageIsToldWithItsPlace() {
        var failure = Failure.of(new CorruptionException("a.blob", 42, "a checksum is wrong"));
        assertThat(failure.status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(failure.issues().getFirst().message())
                .contains("a.blob at 42: a checksum is wrong")
                .contains("fsck");
    }
}
