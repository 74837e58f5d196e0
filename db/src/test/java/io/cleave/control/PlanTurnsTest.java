package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.StatusException;

import org.junit.jupiter.api.Test;

class PlanTurnsTest {
    private final PlanTurns turns = new PlanTurns();

    /// Makes plans inside of each other; returns how many.
    private int nested(int count) {
        return count == 0 ? 0 : turns.take(() -> 1 + nested(count - 1));
    }

    @Test
    void tooManyPlansAreRefusedAndLaterOnesAreMade() {
        assertThat(nested(PlanTurns.MOST)).isEqualTo(PlanTurns.MOST);
        assertThatThrownBy(() -> nested(PlanTurns.MOST + 1))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("16 plans of the balancer are being made; retry later");
        assertThat(nested(PlanTurns.MOST)).isEqualTo(PlanTurns.MOST);
    }
}
