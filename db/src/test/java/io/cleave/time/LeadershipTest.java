package io.cleave.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Who may have been replaced does not answer for the newest state.
class LeadershipTest {
    @Test
    void theNewestMomentIsToldOnlyWhileNobodyElseCanHaveANewerOne() {
        var env = new SystemEnv();
        var until = new AtomicLong(env.nanoTime() + Duration.ofMinutes(1).toNanos());
        var timeline = new Timeline(env, until::get);
        Timeline.CommitSlot slot = timeline.begin();
        timeline.end(slot);
        assertThat(timeline.takeNewest()).isEqualTo(slot.timestamp());
        timeline.release(slot.timestamp());

        until.set(env.nanoTime());

        assertThatThrownBy(timeline::takeNewest)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status()).isEqualTo(Status.UNAVAILABLE));
        // What was taken for that is released, and older moments can be read.
        timeline.end(timeline.begin());
        assertThat(timeline.oldest()).isEqualTo(timeline.visible());
        assertThat(timeline.take()).isEqualTo(timeline.visible());
    }

    @Test
    void whoIsAloneIsAlwaysTheOneWhoLeads() {
        var timeline = new Timeline(new SystemEnv());
        assertThat(timeline.takeNewest()).isEqualTo(timeline.visible());
    }
}
