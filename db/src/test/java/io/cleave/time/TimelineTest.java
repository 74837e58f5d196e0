package io.cleave.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.log.LogException;
import io.cleave.time.Timeline.CommitSlot;
import io.cleave.time.Timeline.Lane;
import io.cleave.time.Timeline.OnStall;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Two cells on one line of time, each with its own lane.
class TimelineTest {
    private final Timeline timeline = new Timeline(new SystemEnv());
    private final Lane first = timeline.openLane();
    private final Lane second = timeline.openLane();
    private final LogException why = new LogException("the disk is gone", null);

    private final List<String> passed = new ArrayList<>();

    private CommitSlot begin(Lane lane, String name) {
        CommitSlot slot = lane.begin(OnStall.WAIT);
        slot.whenPassed(failure -> passed.add(failure == null ? name : name + " failed"));
        return slot;
    }

    @Test
    void whatIsVisibleIsTheLeastOverAllLanes() {
        long before = timeline.visible();
        CommitSlot early = begin(first, "early");
        CommitSlot late = begin(second, "late");

        timeline.end(late);

        assertThat(second.visible()).isEqualTo(late.timestamp());
        assertThat(first.visible()).isLessThan(early.timestamp());
        assertThat(timeline.visible()).isEqualTo(before);
        assertThat(passed).isEmpty();

        timeline.end(early);

        assertThat(first.visible()).isEqualTo(early.timestamp());
        assertThat(timeline.visible()).isEqualTo(late.timestamp());
        assertThat(passed).containsExactly("early", "late");
    }

    @Test
    void aPassedTimestampIsVisibleAndBetweenTheCommitsBeforeAndAfterIt() {
        CommitSlot before = begin(first, "before");
        timeline.end(before);
        long timestamp = timeline.pass();
        CommitSlot after = begin(second, "after");
        assertThat(timestamp)
                .isGreaterThan(before.timestamp())
                .isLessThan(after.timestamp())
                .isEqualTo(timeline.visible());
        timeline.end(after);
        assertThat(timeline.pass()).isGreaterThan(after.timestamp());
    }

    @Test
    void aTimestampIsNotPassedWhileALogStalls() {
        begin(first, "stalled");
        first.stall(why, () -> true);
        assertThatThrownBy(timeline::pass).hasMessageContaining("the disk is gone");
    }

    @Test
    void aLaneWithoutCommitsHoldsNothingBack() {
        CommitSlot only = begin(first, "only");
        timeline.end(only);
        assertThat(timeline.visible()).isEqualTo(only.timestamp());
        assertThat(second.visible()).isZero();
    }

    @Test
    void withinALaneCommitsPassInOrder() {
        CommitSlot early = begin(first, "early");
        CommitSlot late = begin(first, "late");
        timeline.end(late);
        assertThat(first.visible()).isLessThan(early.timestamp());
        timeline.end(early);
        assertThat(first.visible()).isEqualTo(late.timestamp());
        assertThat(passed).containsExactly("early", "late");
    }

    @Test
    void aFailedLaneFailsEverythingInFlightAndTheOtherLanesLogIsNotToBlame() {
        CommitSlot done = begin(second, "done");
        timeline.end(done);
        begin(first, "lost");
        CommitSlot other = begin(second, "other");

        first.fail(why);
        timeline.end(other);
        begin(second, "later");

        assertThat(passed).containsExactly("done", "lost failed", "other failed", "later failed");
        assertThat(timeline.visible()).isEqualTo(done.timestamp());
        assertThat(timeline.failure()).isSameAs(why);
        assertThat(first.failure()).isSameAs(why);
        assertThat(second.failure()).isNull();
    }

    @Test
    void aStallLastsAsLongAsThatOfAnyLane() {
        var firstLasts = new AtomicBoolean(true);
        var secondLasts = new AtomicBoolean(true);
        first.stall(new LogException("first", null), firstLasts::get);
        second.stall(new LogException("second", null), secondLasts::get);
        assertThat(timeline.stalled()).contains("first");
        firstLasts.set(false);
        assertThat(timeline.stalled()).contains("second");
        secondLasts.set(false);
        assertThat(timeline.stalled()).isEmpty();
    }

    @Test
    void aNewLaneContinuesAfterTheNewestTimestampOfItsLog() {
        CommitSlot slot = begin(first, "slot");
        timeline.end(slot);
        Lane third = timeline.openLane();
        third.skipPast(slot.timestamp() + 1_000_000);
        assertThat(third.visible()).isEqualTo(slot.timestamp() + 1_000_000);
        assertThat(timeline.visible()).isEqualTo(slot.timestamp() + 1_000_000);
        assertThat(begin(first, "next").timestamp()).isGreaterThan(timeline.visible());
    }
}
