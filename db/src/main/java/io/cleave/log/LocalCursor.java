package io.cleave.log;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;

/// Reads the records of a [LocalLog], segment by segment.
final class LocalCursor implements LogCursor {
    private final LocalLog log;
    private long next;
    private @Nullable SegmentReader reader;

    LocalCursor(LocalLog log, long from) {
        if (from < log.firstPosition()) {
            throw new TrimmedException(from, log.firstPosition());
        }
        this.log = log;
        next = from;
    }

    @Override
    public boolean next() {
        try {
            while (next < log.nextPosition()) {
                SegmentReader at = readerOf(next);
                if (findRecord(at)) {
                    next = at.nextPosition();
                    return true;
                }
                next = at.nextPosition();
            }
            return false;
        } catch (NoSuchFileException e) {
            var trimmed = new TrimmedException(next, log.firstPosition());
            trimmed.initCause(e);
            throw trimmed;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log", e);
        }
    }

    /// Moves to the record at `next`, or to the first record after the hole that contains `next`.
    /// Returns false if the segment ends with the hole.
    private boolean findRecord(SegmentReader at) throws IOException {
        boolean isRecord = false;
        while (at.nextPosition() <= next) {
            isRecord = step(at);
        }
        return isRecord;
    }

    private SegmentReader readerOf(long position) throws IOException {
        Segment segment = log.segmentOf(position);
        if (reader == null || !reader.segment().equals(segment)) {
            close();
            reader = new SegmentReader(log.disk(), segment);
        }
        return reader;
    }

    /// Returns false at the end of the segment, after a hole.
    private boolean step(SegmentReader at) throws IOException {
        SegmentReader.Step step = at.next();
        if (step == SegmentReader.Step.BAD) {
            // The bytes may have been read while they were being written.
            at.reload();
            step = at.next();
        }
        if (step == SegmentReader.Step.RECORD) {
            return true;
        }
        if (step == SegmentReader.Step.END && at.nextPosition() > next) {
            return false;
        }
        throw step == SegmentReader.Step.END
                ? at.corruption("the segment ends before record " + at.nextPosition())
                : at.corruption(SegmentTail.damaged(at.nextPosition(), log.nextPosition()));
    }

    @Override
    public long position() {
        return next - 1;
    }

    @Override
    public Bytes record() {
        if (reader == null) {
            throw new IllegalStateException("not at a record");
        }
        return reader.record();
    }

    @Override
    public void close() {
        try {
            if (reader != null) {
                reader.close();
                reader = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the log", e);
        }
    }
}
