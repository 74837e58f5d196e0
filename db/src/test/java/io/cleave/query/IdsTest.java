package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class IdsTest {
    private final ManualEnv env = new ManualEnv();
    private final Ids ids = new Ids(env, 1);

    @Test
    void ulidsSortByTime() {
        String earlier = ids.ulid();
        env.pass(Duration.ofMillis(1));
        String later = ids.ulid();
        assertThat(earlier).matches("[0-9a-hjkmnp-tv-z]{26}").isLessThan(later);
    }

    @Test
    void ulidsOfOneMomentDiffer() {
        assertThat(ids.ulid()).isNotEqualTo(ids.ulid());
    }
}
