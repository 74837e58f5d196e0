package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryBudget;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.OperationParams;

class RequestsTest {
    private final SystemEnv env = new SystemEnv();
    private final Requests requests = new Requests(env, new MemoryBudget(1L << 30, env));

    @Test
    void theEarlierLimitCounts() {
        var params =
                OperationParams.newBuilder()
                        .setOperationTimeout(Duration.newBuilder().setSeconds(100))
                        .setCancelAfter(Duration.newBuilder().setNanos(1))
                        .build();
        var cancellation = requests.cancellation(params);
        assertThatThrownBy(cancellation::check).hasMessageContaining("CANCELLED");
    }

    @Test
    void absurdLimitsAreTaken() {
        var params =
                OperationParams.newBuilder()
                        .setOperationTimeout(
                                Duration.newBuilder().setSeconds(Long.MAX_VALUE).setNanos(-5))
                        .setCancelAfter(Duration.newBuilder().setSeconds(Long.MIN_VALUE))
                        .build();
        requests.cancellation(params).check();
    }

    @Test
    void aSmallHeapHasFewerRequestsAtOnce() {
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
