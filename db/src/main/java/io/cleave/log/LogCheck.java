package io.cleave.log;

import io.cleave.base.CorruptionException;
import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Verifies every record of a local log without changing it. Reports damage, and leftovers of a
/// crash that the next start removes. After damage, it continues with the next segment.
public final class LogCheck {
    private final Disk disk;
    private final Path dir;
    private final List<Problem> problems = new ArrayList<>();
    private int segmentCount;
    private long recordCount;
    private long bytes;

    /// The epoch of the newest segment read so far, and the position after its last record. A
    /// position of -1 is unknown.
    private long epoch;

    private long nextPosition = -1;

    /// The first position of the last segment. All records before it were synced.
    private long end = -1;

    private LogCheck(Disk disk, Path dir) {
        this.disk = disk;
        this.dir = dir;
    }

    /// The size of the log, and the problems found.
    public record Result(int segments, long records, long bytes, List<Problem> problems) {
        public boolean isWhole() {
            return problems.stream().noneMatch(Problem::isDamage);
        }
    }

    /// If `isDamage`, written data is lost. Otherwise the problem is a leftover of a crash or a
    /// file that does not belong to the log.
    public record Problem(boolean isDamage, String file, long offset, String what) {}

    public static Result run(Disk disk, Path dir) throws IOException {
        var check = new LogCheck(disk, dir);
        check.checkAll();
        return new Result(
                check.segmentCount, check.recordCount, check.bytes, List.copyOf(check.problems));
    }

    private void checkAll() throws IOException {
        List<Path> files = Segment.list(disk, dir);
        Set<Path> others = new HashSet<>();
        disk.list(dir).forEach(name -> others.add(dir.resolve(name)));
        files.forEach(others::remove);
        end = files.isEmpty() ? -1 : Segment.named(files.getLast()).firstPosition();
        others.remove(dir.resolve(LostBytes.FOLDER));
        for (Path file : files) {
            checkSegment(file, file.equals(files.getLast()));
        }
        noteLost();
        others.stream().sorted().forEach(file -> note(file, 0, "is not a segment of a log"));
    }

    private void noteLost() throws IOException {
        Path lost = dir.resolve(LostBytes.FOLDER);
        int count = new LostBytes(disk, dir).count();
        if (count > 0) {
            note(
                    lost,
                    0,
                    "%d files with data that earlier starts cut off the log; nothing reads them"
                            .formatted(count));
        }
    }

    private void checkSegment(Path file, boolean isLast) throws IOException {
        if (isLast && Segment.isStillborn(disk, file)) {
            note(file, 0, "an unfinished new segment, left by a crash; the next start removes it");
            return;
        }
        Segment segment;
        try {
            segment = Segment.open(disk, file);
        } catch (CorruptionException | LogException e) {
            damage(file, 0, what(e));
            nextPosition = -1;
            return;
        }
        segmentCount++;
        if (segment.header().epoch() < epoch) {
            damage(file, 0, "of epoch " + segment.header().epoch() + ", behind one of " + epoch);
        }
        epoch = segment.header().epoch();
        if (nextPosition >= 0 && segment.firstPosition() != nextPosition) {
            damage(
                    file,
                    0,
                    "begins at record %d, but the segment before it ends at %d"
                            .formatted(segment.firstPosition(), nextPosition));
        }
        readRecords(segment, isLast);
    }

    private void readRecords(Segment segment, boolean isLast) throws IOException {
        try (var reader = new SegmentReader(disk, segment)) {
            SegmentReader.Step step = reader.next();
            while (step == SegmentReader.Step.RECORD) {
                step = reader.next();
            }
            recordCount += reader.nextPosition() - segment.firstPosition();
            bytes += reader.fileOffset();
            nextPosition = reader.nextPosition();
            if (step == SegmentReader.Step.BAD) {
                bad(segment, reader, isLast);
            }
        }
    }

    private void bad(Segment segment, SegmentReader reader, boolean isLast) throws IOException {
        if (isLast && SegmentTail.isBlank(disk, segment, reader.fileOffset())) {
            return; // zeros that the writer put ahead of its records
        }
        long synced = SegmentTail.syncedEnd(disk, segment, reader);
        if (isLast && synced < 0) {
            note(
                    segment.file(),
                    reader.fileOffset(),
                    ("the last write, from record %d on, is incomplete: it was never finished, or"
                                    + " it is damaged; the next start cuts it off and reports it")
                            .formatted(reader.nextPosition()));
        } else {
            damage(
                    segment.file(),
                    reader.fileOffset(),
                    SegmentTail.damaged(reader.nextPosition(), end, synced));
            nextPosition = -1;
        }
    }

    private void note(Path file, long offset, String what) {
        problems.add(new Problem(false, file.toString(), offset, what));
    }

    private void damage(Path file, long offset, String what) {
        problems.add(new Problem(true, file.toString(), offset, what));
    }

    private static String what(RuntimeException e) {
        return e instanceof CorruptionException corruption
                ? corruption.what()
                : String.valueOf(e.getMessage());
    }
}
