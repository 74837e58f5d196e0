package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServingCostTest {
    @Test
    void whatWasNotMeasuredInsideIsDividedAmongOperations() {
        assertThat(ServingCost.nanosPerOperation(1_000_000, 200_000, 100)).isEqualTo(8_000);
    }

    @Test
    void moreInsideThanTheProcessHasUsedIsNothingOutside() {
        assertThat(ServingCost.nanosPerOperation(100, 200, 10)).isZero();
        assertThat(ServingCost.nanosPerOperation(100, 0, 0)).isZero();
    }

    @Test
    void whatIsDoneWithoutTabletsDoesNotBecomeTheirs() {
        assertThat(ServingCost.nanosPerOperation(1_000_000_000, 0, 3))
                .isEqualTo(ServingCost.MOST_NANOS);
    }
}
