package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryBudget;

import org.junit.jupiter.api.Test;

class RequestsTest {
    @Test
    void aSmallHeapHasFewerRequestsAtOnce() {
        var env = new SystemEnv();
        assertThat(entered(new Requests(env, new MemoryBudget(512L << 20, env)))).isEqualTo(2048);
        assertThat(entered(new Requests(env, new MemoryBudget(8L << 30, env))))
                .isEqualTo(Requests.MAX_IN_FLIGHT);
    }

    private static int entered(Requests requests) {
        int count = 0;
        while (requests.enter()) {
            count++;
        }
        assertThat(requests.overloaded().issues().getFirst().message())
                .endsWith("the limit is " + count);
        return count;
    }
}
