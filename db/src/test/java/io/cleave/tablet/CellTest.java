package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.lsm.ColumnGroup;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class CellTest {
    private static final TreeSettings FILTERED =
            new TreeSettings(List.of(ColumnGroup.DEFAULT), true, null);
    private static final CellOptions OPTIONS = CellOptions.DEFAULT;

    @Test
    void settingsAreKeptOverARestartAndAState() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.cell.createTablets(
                            List.of(
                                    new TabletSpec(7, 100, KeyRange.ALL),
                                    new TabletSpec(8, 200, KeyRange.ALL, FILTERED)));
                    rig.cell.configure(List.of(7L, 99L), FILTERED);
                    rig.cell.configure(List.of(8L), TreeSettings.DEFAULT);
                    for (int start = 0; start < 3; start++) {
                        assertThat(rig.cell.tablet(7).settings()).isEqualTo(FILTERED);
                        assertThat(rig.cell.tablet(8).settings()).isEqualTo(TreeSettings.DEFAULT);
                        rig.cell.checkpoint();
                        rig.restart();
                    }
                });
    }

    @Test
    void aRestartFindsWhatWasCommitted() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    rig.write(7, "a", "1");
                    rig.write(7, "b", "2");
                    rig.erase(7, "a");
                    rig.restart();
                    assertThat(rig.rows(7)).isEqualTo(Map.of("b", "2"));
                });
    }
}
