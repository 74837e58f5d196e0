package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.node.DiskSpace.Reserve;
import io.cleave.tablet.WriteGate;
import io.cleave.testkit.LogLines;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A disk fills up and has room again: the reserve is given up and taken back, and `/healthz` tells
/// of it.
class DiskSpaceTest {
    private static final Path DATA = Path.of("/data");
    private static final Path RESERVE = DATA.resolve("reserve");
    private static final long MIB = 1 << 20;
    private static final DiskSpace.Limits LIMITS =
            new DiskSpace.Limits(100 * MIB, 10 * MIB, 3 * MIB);

    private final SimulatedDisk disk = new SimulatedDisk();
    private final WriteGate gate = new WriteGate();
    private final DiskSpace space = new DiskSpace(new SystemEnv(), disk, DATA, List.of(), LIMITS);
    private final NodeHealth health = new NodeHealth(() -> true, Optional.of(space));

    @BeforeEach
    void makeFolder() throws IOException {
        disk.createFolders(DATA);
    }

    private void look(long usableMib) {
        disk.fillAfter(usableMib * MIB);
        space.look(gate, Reserve.TAKE);
    }

    @Test
    void aDiskWithRoomGetsAReserveAndNoWarning() throws IOException {
        look(500);
        assertThat(disk.readAll(RESERVE)).hasSize((int) (3 * MIB));
        assertThat(health.isWell()).isTrue();
        assertThat(health.warning()).isEmpty();
        assertThat(space.usableBytes()).isEqualTo(500 * MIB);
    }

    @Test
    void aWarningComesBeforeItIsFull() {
        try (var lines = LogLines.of(DiskSpace.class)) {
            look(101);
            assertThat(lines.all()).isEmpty();
            look(99);
            look(98);
            assertThat(lines.all())
                    .containsExactly(
                            "WARNING the disk of /data has only 99 MiB left; writes stop at 10"
                                    + " MiB");
        }
        assertThat(health.isWell()).isTrue();
        assertThat(health.warning().orElseThrow()).contains("98 MiB", "10 MiB");
    }

    @Test
    void aFullDiskGivesUpTheReserveUntilThereIsRoom() throws IOException {
        look(500);
        look(9);
        assertThat(disk.exists(RESERVE)).isFalse();
        assertThatThrownBy(health::isWell).hasMessageContaining("/data is full, with 9 MiB left");
        // What the reserve gave back is not for new writes.
        look(12);
        assertThat(space.full()).isPresent();
        look(15);
        assertThat(space.full()).isPresent();
        look(16);
        assertThat(space.full()).isEmpty();
        assertThat(disk.exists(RESERVE)).isTrue();
        assertThat(health.isWell()).isTrue();
    }

    /// A crash came while it was written.
    @Test
    void aReserveThatIsTooSmallIsTakenAnew() throws IOException {
        disk.put(RESERVE, new byte[1 << 20]);
        look(500);
        assertThat(disk.readAll(RESERVE)).hasSize((int) (3 * MIB));
    }

    /// The folder may be another's by then.
    @Test
    void nothingIsWrittenAfterTheEnd() throws IOException {
        space.close();
        look(500);
        assertThat(disk.exists(RESERVE)).isFalse();
    }

    @Test
    void aDiskThatIsFullAtTheStartIsToldAtOnce() throws IOException {
        look(500);
        disk.fillAfter(0);
        var restarted = new DiskSpace(new SystemEnv(), disk, DATA, List.of(), LIMITS);
        restarted.look(gate, Reserve.LEAVE);
        assertThat(disk.exists(RESERVE)).isFalse();
        assertThatThrownBy(new NodeHealth(() -> true, Optional.of(restarted))::isWell)
                .hasMessageContaining("is full");
    }
}
