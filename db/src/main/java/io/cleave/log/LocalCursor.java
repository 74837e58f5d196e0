package io.cleave.log;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;

/// Walks through the segments of a [LocalLog].
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
        if (next >= log.nextPosition()) {
            return false;
        }
        try {
            SegmentReader at = readerOf(next);
            while (at.nextPosition() <= next) {
                step(at);
            }
            next++;
            return true;
        } catch (NoSuchFileException e) {
            var trimmed = new TrimmedException(next, log.firstPosition());
            trimmed.initCause(e);
            throw trimmed;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log", e);
        }
    }

    private SegmentReader readerOf(long position) throws IOException {
        Segment segment = log.segmentOf(position);
        if (reader == null || !reader.segment().equals(segment)) {
            close();
            reader = new SegmentReader(log.disk(), segment);
        }
        return reader;
    }

    private static void step(SegmentReader reader) throws IOException {
        SegmentReader.Step step = reader.next();
        if (step == SegmentReader.Step.BAD) {
            // It may have been read while it was being written.
            reader.reload();
            step = reader.next();
        }
        switch (step) {
            case RECORD -> {}
            case END ->
                    throw reader.corruption(
                            "the segment ends before record " + reader.nextPosition());
            case BAD -> throw reader.corruption("record " + reader.nextPosition() + " is damaged");
        }
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
