package io.cleave.control;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which decisions are stored. It is a row of the system table `decisions` itself, with the number
/// 0, and is written together with every other row. Thanks to it a start reads only the latest
/// decisions.
///
/// ```
/// u8   form                          2; versions that do not know it skip the row
/// u64  last, first
/// u64  bytes
/// u64  since_micros
/// list notes                         var
/// ```
///
/// @param last the greatest number given so far
/// @param first the least number of a stored change; greater than `last` if there is none
/// @param bytes the size of all rows but this one
/// @param sinceMicros every change that was decided at this time or later is stored
/// @param notes the numbers of the stored notes, ascending
record DecisionSummary(long last, long first, long bytes, long sinceMicros, List<Long> notes) {
    /// The number of the row.
    static final long NUMBER = 0;

    private static final byte FORM = 2;

    DecisionSummary {
        notes = List.copyOf(notes);
    }

    boolean hasChanges() {
        return first <= last;
    }

    Bytes encode() {
        var out = new ByteWriter(64);
        out.putByte(FORM);
        out.putLong(last);
        out.putLong(first);
        out.putLong(bytes);
        out.putLong(sinceMicros);
        out.putVarInt(notes.size());
        notes.forEach(out::putVarLong);
        return Bytes.wrap(out.toArray());
    }

    /// Empty if a newer version wrote it.
    static Optional<DecisionSummary> decode(Bytes data) {
        var in = new ByteReader(data.array(), 0, data.length());
        if (in.getByte() != FORM) {
            return Optional.empty();
        }
        long last = in.getLong();
        long first = in.getLong();
        long bytes = in.getLong();
        long sinceMicros = in.getLong();
        int count = in.getVarInt();
        List<Long> notes = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            notes.add(in.getVarLong());
        }
        return Optional.of(new DecisionSummary(last, first, bytes, sinceMicros, notes));
    }
}
