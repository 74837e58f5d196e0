package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.blob.ForwardingBlobs;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.FencedException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// A process that sleeps while it starts, and wakes when another has begun to lead.
class OvertakenStartTest {
    private static final long TABLET = 7;

    @Test
    void aStartThatWasOvertakenLeavesTheFilesOfTheNextLeader() {
        var blobs = new SlowlyListedBlobs();
        CellRig.run(
                1,
                CellOptions.DEFAULT,
                blobs,
                rig -> {
                    rig.createTablet(TABLET);
                    blobs.beforeList =
                            () -> {
                                rig.restart();
                                rig.write(TABLET, "a", "1");
                                rig.cell.structure().flush(List.of(TABLET));
                            };

                    assertThatThrownBy(rig::restart).isInstanceOf(FencedException.class);

                    assertThat(blobs.list()).hasSize(1);
                    rig.restart();
                    assertThat(rig.rows(TABLET)).isEqualTo(Map.of("a", "1"));
                });
    }

    /// Something happens before they are listed next.
    private static final class SlowlyListedBlobs extends ForwardingBlobs {
        private Runnable beforeList = () -> {};

        SlowlyListedBlobs() {
            super(new MemoryBlobs());
        }

        @Override
        public List<Long> list() {
            Runnable happens = beforeList;
            beforeList = () -> {};
            happens.run();
            return super.list();
        }
    }
}
