package io.cleave.bench.storage;

import java.util.Arrays;
import java.util.List;

/// The works that are measured for each engine.
enum Work {
    HIT("hit", "random point read, hit, cached", Unit.MICROS),
    MISS("miss", "random point read, miss with filter", Unit.MICROS),
    RANGE("range", "100-row range read", Unit.MICROS),
    SCAN("scan", "full scan, per row", Unit.MICROS),
    LOAD("load", "random-order load, per row, compaction included", Unit.MICROS),
    AMPLIFICATION("load", "its write amplification, log included", Unit.TIMES_RAW),
    BULK("bulk", "sorted bulk load, per row", Unit.MICROS),
    COMMITS_1("commit", "durable commits, 1 writer", Unit.PER_SECOND),
    COMMITS_1_VIRTUAL("commit", "the same on a virtual thread", Unit.PER_SECOND),
    COMMITS_64("commit", "durable commits, 64 writers", Unit.PER_SECOND),
    DISK("disk", "bytes on disk, fully compacted", Unit.TIMES_RAW),
    COLD_BYTES("cold", "cold get of 1 KB: bytes from the disk", Unit.KIB),
    COLD_REQUESTS("cold", "its disk requests", Unit.REQUESTS),
    NARROW("narrow", "narrow scan of 1 of 10 columns in its own group", Unit.OF_FULL_SCAN),
    READ_BESIDE("foreground", "point read beside constant compaction", Unit.TIMES_ALONE),
    COMMIT_BESIDE("foreground", "durable commit beside constant compaction", Unit.TIMES_ALONE),
    SYNC_BESIDE("foreground", "the same on the bare disk: append and sync", Unit.TIMES_ALONE);

    /// The name for `--only`. Works that are measured together share one.
    final String id;

    final String title;
    final Unit unit;

    enum Unit {
        MICROS("us CPU (wall)"),
        PER_SECOND("per second (us CPU each)"),
        TIMES_RAW("x raw bytes"),
        KIB("KiB (us wall)"),
        REQUESTS("requests"),
        OF_FULL_SCAN("of the full scan's bytes"),
        TIMES_ALONE("x alone, p99 (p50)");

        final String text;

        Unit(String text) {
            this.text = text;
        }
    }

    Work(String id, String title, Unit unit) {
        this.id = id;
        this.title = title;
        this.unit = unit;
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(work -> work.id).distinct().toList();
    }
}
