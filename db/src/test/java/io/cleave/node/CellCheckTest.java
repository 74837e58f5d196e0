package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.lsm.table.Slice;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellImage.Outline;
import io.cleave.tablet.record.TabletSpec;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What `fsck` says of records that are intact and contradict each other. An exchanged log is the
/// likely cause, so this is damage, and the remedy comes before any report.
class CellCheckTest {
    private static final TabletSpec TABLET =
            new TabletSpec(7, 100, new KeyRange(Bytes.utf8("b"), Bytes.utf8("y")));

    @Test
    void slicesOfOneLevelThatOverlap() {
        assertDamage(
                "tablet 7: the slice of blob 2 on level 1 overlaps with blob 1 on its level",
                slice(1, 1, "b", "m"),
                slice(2, 1, "l", "y"));
    }

    @Test
    void aSliceBeyondItsTablet() {
        assertDamage(
                "tablet 7: the slice of blob 1 on level 1 reaches beyond the tablet",
                slice(1, 1, "a", "m"));
    }

    @Test
    void slicesSideBySideOrOnLevelsThatMayOverlap() {
        var report = new FsckReport();
        var tablet =
                new Outline(
                        TABLET,
                        List.of(
                                slice(1, 1, "b", "m"),
                                slice(2, 1, "m", "y"),
                                slice(3, 0, "b", "y"),
                                slice(4, 0, "b", "y")),
                        false);
        assertThat(new CellCheck(report, 3).run(List.of(tablet), 4)).isTrue();
        assertThat(report.text()).endsWith("clean\n");
    }

    private static void assertDamage(String what, Slice... slices) {
        var report = new FsckReport();
        var tablet = new Outline(TABLET, List.of(slices), false);
        assertThat(new CellCheck(report, 3).run(List.of(tablet), slices.length)).isFalse();
        assertThat(report.text())
                .contains("DAMAGE log of cell 3 at 0: " + what)
                .contains("restore all logs from one copy. If no file was exchanged")
                .doesNotContain("bug");
    }

    private static Slice slice(long blobId, int level, String from, String to) {
        return new Slice(blobId, level, 1, Bytes.utf8(from), Bytes.utf8(to), 1_000, 10, 1, 2);
    }
}
