package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.log.LogException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// A log that does not answer for long.
class StallTest {
    private final Timeline timeline = new Timeline(new SystemEnv());
    private final LogException why = new LogException("too few bookies", null);

    @Test
    void onlyTheImpatientAreToldAndAllPassWhenTheLogGoesOn() {
        Timeline.Moment patient = timeline.begin();
        Timeline.Moment impatient = timeline.beginImpatient();
        List<String> told = new ArrayList<>();
        patient.whenPassed(failure -> told.add("patient " + (failure == null)));
        impatient.whenPassed(failure -> told.add("impatient " + (failure == null)));
        timeline.stall(why, () -> true);
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
                    rig.cell.timeline().stall(why, lasts::get);
                    assertThatThrownBy(() -> rig.write(7, "a", "1"))
                            .isInstanceOf(StatusException.class)
                            .hasMessageContaining("takes no writes for now: too few bookies");
                    lasts.set(false);
                    rig.write(7, "a", "1");
                    assertThat(rig.rows(7)).isEqualTo(Map.of("a", "1"));
                });
    }
}
