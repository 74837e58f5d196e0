package io.cleave.bench.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessTicksTest {
    @Test
    void aProcessThatHasWorkedHasTicks() {
        assertThat(ProcessTicks.alone(ProcessHandle.current().pid())).isPositive();
    }

    @Test
    void endedChildrenAreCountedWithTheirParent() throws Exception {
        long pid = ProcessHandle.current().pid();
        long before = ProcessTicks.withEndedChildren(pid) - ProcessTicks.alone(pid);
        var child =
                new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
        assertThat(child.start().waitFor()).isZero();

        long after = ProcessTicks.withEndedChildren(pid) - ProcessTicks.alone(pid);

        assertThat(after).isGreaterThan(before);
    }

    @Test
    void aProcessThatIsGoneHasNone() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();

        assertThat(ProcessTicks.alone(gone.pid())).isZero();
    }
}
