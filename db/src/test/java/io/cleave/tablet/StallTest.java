package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.table.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.time.Timeline;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/// A log that does not answer for long.
class StallTest {
    private final Timeline timeline = new Timeline(new SystemEnv());
    private final LogException why = new LogException("too few bookies", null);

    @Test
    void onlyTheImpatientAreToldAndAllPassWhenTheLogGoesOn() {
        Timeline.Lane lane = timeline.openLane();
        Timeline.CommitSlot patient = lane.begin(Timeline.OnStall.WAIT);
        Timeline.CommitSlot impatient = lane.begin(Timeline.OnStall.TELL);
        List<String> told = new ArrayList<>();
        patient.whenPassed(failure -> told.add("patient " + (failure == null)));
        impatient.whenPassed(failure -> told.add("impatient " + (failure == null)));
        lane.stall(why, () -> true);
        assertThat(told).containsExactly("impatient false");
        assertThat(impatient.await()).isSameAs(why);
        timeline.end(patient);
        timeline.end(impatient);
        assertThat(told).containsExactly("impatient false", "patient true");
        assertThat(timeline.visible()).isEqualTo(impatient.timestamp());
    }

    @Test
    void whileTheLogOfOneCellStallsAllCellsRefuseCommits() {
        CellRig.run(
                1,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(7);
                    var lasts = new AtomicBoolean(true);
                    // As another cell on the same line of time tells it.
                    rig.cell.timeline().openLane().stall(why, lasts::get);
                    assertThatThrownBy(() -> rig.write(7, "a", "1"))
                            .isInstanceOf(StatusException.class)
                            .hasMessageContaining("takes no writes for now: too few bookies");
                    lasts.set(false);
                    rig.write(7, "a", "1");
                    assertThat(rig.rows(7)).isEqualTo(Map.of("a", "1"));
                });
    }

    @Test
    void aCellIsClosedThoughItsLogStalls() throws Exception {
        var env = new SystemEnv();
        var memory = new MemoryLog(env, LogOptions.DEFAULT, _ -> {});
        var log = new StallingLog(memory);
        var small = new CellOptions(1000, 1 << 20, 1 << 20, 1 << 20, 1000);
        var cell =
                new Cell(
                        1,
                        log,
                        new TableFiles(new MemoryBlobs(), 1 << 20),
                        timeline,
                        small,
                        new Background(env, small),
                        env);
        cell.structure().create(List.of(new TabletSpec(7, 100, KeyRange.ALL)));
        log.hold();
        var change = new KeyedChange(Bytes.utf8("a"), CellRig.change("x".repeat(2000)));
        var committed =
                CompletableFuture.supplyAsync(
                        () ->
                                cell.commit(
                                        List.of(new TabletWrites(7, List.of(change))),
                                        new ReadLocks(),
                                        null));
        // The commit, and what the flusher logs because of it.
        while (log.heldRecords() < 2) {
            Thread.sleep(1);
        }
        var closed = CompletableFuture.runAsync(cell::close);
        assertThatThrownBy(() -> closed.get(200, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);

        log.tell();

        closed.get(20, TimeUnit.SECONDS);
        assertThat(committed.get(20, TimeUnit.SECONDS)).isInstanceOf(CommitResult.Lost.class);
    }
}
