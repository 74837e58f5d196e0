package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.log.LogException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

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
        timeline.stall(why);
        assertThat(told).containsExactly("impatient false");
        assertThat(impatient.await()).isSameAs(why);
        timeline.end(patient);
        timeline.end(impatient);
        assertThat(told).containsExactly("impatient false", "patient true");
        assertThat(timeline.visible()).isEqualTo(impatient.timestamp());
    }
}
