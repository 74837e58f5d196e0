package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.FencedException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

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
                                rig.cell.flush(List.of(TABLET));
                            };

                    assertThatThrownBy(rig::restart).isInstanceOf(FencedException.class);

                    assertThat(blobs.list()).hasSize(1);
                    rig.restart();
                    assertThat(rig.rows(TABLET)).isEqualTo(Map.of("a", "1"));
                });
    }

    /// Something happens before they are listed next.
    private static final class SlowlyListedBlobs implements BlobStore {
        private final BlobStore blobs = new MemoryBlobs();
        private Runnable beforeList = () -> {};

        @Override
        public List<Long> list() {
            Runnable happens = beforeList;
            beforeList = () -> {};
            happens.run();
            return blobs.list();
        }

        @Override
        public BlobWriter create(String medium) {
            return blobs.create(medium);
        }

        @Override
        public Set<String> media() {
            return blobs.media();
        }

        @Override
        public BlobReader open(long id) {
            return blobs.open(id);
        }

        @Override
        public void delete(long id) {
            blobs.delete(id);
        }
    }
}
