package io.cleave.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.ZoneId;
import java.util.Optional;

class SystemEnvTest {
    @Test
    void theTimeZoneIsThatOfTheProcessUnlessItIsGiven() {
        ZoneId kathmandu = ZoneId.of("Asia/Kathmandu");
        assertThat(new SystemEnv(Optional.of(kathmandu)).zone()).isEqualTo(kathmandu);
        assertThat(new SystemEnv().zone()).isEqualTo(ZoneId.systemDefault());
    }
}
