package io.cleave.log;

/// Something that opening a log has cut off or given up.
public sealed interface LogLoss {
    /// For people: what was lost, of which file, where.
    String text();

    /// The end of the log was not whole, and nothing proves that it ever was. Of a segment at an
    /// offset, so many bytes, from the record at `position` on.
    record Torn(String file, long fileOffset, long bytes, long position) implements LogLoss {
        @Override
        public String text() {
            return ("cut %d bytes off %s at %d, from record %d on: a write that was never finished,"
                            + " or damage that cannot be told from one; they are kept in the folder"
                            + " 'lost' beside it")
                    .formatted(bytes, file, fileOffset, position);
        }
    }

    /// The records `[from, to)` of a segment were damaged, which was accepted.
    record Hole(String file, long fileOffset, long from, long to) implements LogLoss {
        @Override
        public String text() {
            return ("gave up %s in %s at %d, as --accept-loss asks; the file as it was is kept in"
                            + " the folder 'lost' beside it")
                    .formatted(records(from, to), file, fileOffset);
        }
    }

    /// A segment's header was damaged, and made anew from the file's name: no record is lost.
    record Header(String file) implements LogLoss {
        @Override
        public String text() {
            return ("made the header of %s anew, as --accept-loss asks; the file as it was is kept"
                            + " in the folder 'lost' beside it")
                    .formatted(file);
        }
    }

    /// Positions from `from` to before `to`, as one says it.
    static String records(long from, long to) {
        long count = to - from;
        return count == 1
                ? "1 record (%d)".formatted(from)
                : "%d records (%d to %d)".formatted(count, from, to - 1);
    }
}
