package io.cleave.tablet;

import io.cleave.base.CorruptionException;
import io.cleave.log.OnDamage;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.tablet.record.CellRecord.TabletState;

import java.util.ArrayList;
import java.util.List;

/// Opens the files of the tablets found in a log. A missing or damaged file ends the replay. If
/// loss was accepted, the file is left out of its tablet instead.
///
/// Threads: the one that replays.
final class LostFiles {
    private final TableFiles files;
    private final OnDamage onDamage;
    private final List<LostFile> found = new ArrayList<>();

    LostFiles(TableFiles files, OnDamage onDamage) {
        this.files = files;
        this.onDamage = onDamage;
    }

    /// The tablet, with only the slices whose files can be opened.
    TabletState readable(TabletState tablet) {
        List<Slice> readable = new ArrayList<>();
        for (Slice slice : tablet.slices()) {
            CorruptionException why = files.tryOpen(slice);
            if (why == null) {
                readable.add(slice);
            } else {
                lose(new LostFile(tablet.spec().tabletId(), tablet.spec().tableId(), slice, why));
            }
        }
        return readable.size() == tablet.slices().size() ? tablet : tablet.with(readable);
    }

    private void lose(LostFile lost) {
        if (onDamage != OnDamage.ACCEPT_LOSS) {
            throw lost.damage();
        }
        found.add(lost);
    }

    List<LostFile> found() {
        return List.copyOf(found);
    }
}
