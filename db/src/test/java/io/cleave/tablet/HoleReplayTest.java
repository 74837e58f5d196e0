package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;
import io.cleave.blob.LocalBlobs;
import io.cleave.log.ForwardingLog;
import io.cleave.log.LocalLog;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;
import io.cleave.log.OnDamage;
import io.cleave.lsm.table.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.pace.LogMeter;
import io.cleave.tablet.record.CellRecord.EraseRange;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// A log with a hole, which grows while it is replayed: what comes after the beginning of the
/// replay is left to whoever follows the log from there.
class HoleReplayTest {
    private static final Path DIR = Path.of("/log");
    private static final LogOptions OPTIONS = new LogOptions(1 << 20, 1 << 20);
    private static final int RECORDS = 10;
    private static final int REPLAYED = 8;

    @Test
    void aReplayEndsWhereTheLogEndedWhenItBegan() throws IOException {
        SimulatedDisk disk = damaged();
        try (Log log = open(disk, OnDamage.ACCEPT_LOSS)) {
            assertThat(log.losses()).hasSize(1);
            var files = new TableFiles(new LocalBlobs(disk, Map.of("", Path.of("/blobs"))), 0);
            var state =
                    new CellState(
                            1,
                            new BlobReferences(files),
                            new LogMeter(Long.MAX_VALUE),
                            new SystemEnv());
            CellReplay.run(new Growing(log), state, new LostFiles(files, OnDamage.REFUSE));
            assertThat(state.maxTimestamp()).isEqualTo(REPLAYED - 1);
        }
    }

    /// Each record has its position as its time; some in the middle are damaged.
    private static SimulatedDisk damaged() throws IOException {
        var disk = new SimulatedDisk();
        int recordBytes = 0;
        try (Log log = open(disk, OnDamage.REFUSE)) {
            LogWriter writer = log.openWriter();
            for (long number = 0; number < RECORDS; number++) {
                Bytes record = RecordCodec.encode(new EraseRange(number, 1, KeyRange.ALL));
                recordBytes = record.length();
                var done = new CompletableFuture<Void>();
                writer.append(record, (_, _) -> done.complete(null));
                done.join();
            }
        }
        Path segment = disk.files().getFirst();
        int frame = 20 + recordBytes; // docs/formats/log.md
        for (int number = 3; number < 6; number++) {
            disk.flipBit(segment, (28 + number * frame + 10) * 8L);
        }
        return disk;
    }

    private static Log open(SimulatedDisk disk, OnDamage onDamage) {
        return new LocalLog(disk, DIR, new SystemEnv(), OPTIONS, _ -> {}, onDamage);
    }

    /// Its end is asked for once, and then it is further than that.
    private static final class Growing extends ForwardingLog {
        Growing(Log log) {
            super(log);
        }

        @Override
        public long nextPosition() {
            return REPLAYED;
        }
    }
}
