package io.cleave.log;

/// Something that was cut off or given up when a log was opened.
public sealed interface LogLoss {
    /// A message for the operator: what was lost, in which file, and where.
    String text();

    /// The end of the log was incomplete, and nothing proves that it was ever complete. `bytes`
    /// bytes were cut off the segment at `fileOffset`, from the record at `position` on.
    record Torn(String file, long fileOffset, long bytes, long position) implements LogLoss {
        @Override
        public String text() {
            return ("cut %d bytes off %s at %d, from record %d on: an unfinished write, or damage"
                            + " that looks like one; the bytes are kept in the folder 'lost' beside"
                            + " the file")
                    .formatted(bytes, file, fileOffset, position);
        }
    }

    /// The records `[from, to)` of a segment were damaged, and the operator accepted their loss.
    record Hole(String file, long fileOffset, long from, long to) implements LogLoss {
        @Override
        public String text() {
            return ("gave up %s in %s at %d because of --accept-loss; the original file is kept in"
                            + " the folder 'lost' beside it")
                    .formatted(records(from, to), file, fileOffset);
        }
    }

    /// The header of a segment was damaged, and was restored from the file name. No record is lost.
    record Header(String file) implements LogLoss {
        @Override
        public String text() {
            return ("rewrote the header of %s because of --accept-loss; the original file is kept"
                            + " in the folder 'lost' beside it")
                    .formatted(file);
        }
    }

    /// A mark of a segment was damaged, and was removed. No record is lost.
    record Mark(String file, long fileOffset) implements LogLoss {
        @Override
        public String text() {
            return ("removed a damaged mark in %s at %d because of --accept-loss; the original file"
                            + " is kept in the folder 'lost' beside it")
                    .formatted(file, fileOffset);
        }
    }

    /// An earlier start lost something, and [Log#settleLosses] has not been called since.
    record Earlier(String folder) implements LogLoss {
        @Override
        public String text() {
            return ("an earlier start cut off or gave up records of %s, reported that, and ended"
                            + " before it had moved the files of these records aside")
                    .formatted(folder);
        }
    }

    /// The positions `[from, to)` as text for a message.
    static String records(long from, long to) {
        long count = to - from;
        return count == 1
                ? "1 record (%d)".formatted(from)
                : "%d records (%d to %d)".formatted(count, from, to - 1);
    }
}
