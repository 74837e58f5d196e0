package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.junit.jupiter.api.Test;

class WriteGateTest {
    @Test
    void aClosedGateRefusesTheCellsOfTablesOnly() {
        var gate = new WriteGate();
        gate.check(1);
        gate.close("the disk is full");
        assertThatThrownBy(() -> gate.check(1))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.UNAVAILABLE))
                .hasMessageContaining("the disk is full");
        assertThatCode(() -> gate.check(Cell.SYSTEM_ID)).doesNotThrowAnyException();
        gate.open();
        gate.check(1);
    }
}
