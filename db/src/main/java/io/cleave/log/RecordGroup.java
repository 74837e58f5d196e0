package io.cleave.log;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;

/// The records of one write and one sync, with their completions. A group without records stands
/// for a mark.
///
/// Threads: one at a time; [GroupCommit] passes it from thread to thread.
final class RecordGroup {
    final long firstPosition;
    final List<Bytes> records = new ArrayList<>();
    private final List<Completion> completions = new ArrayList<>();
    long bytes;

    RecordGroup(long firstPosition) {
        this.firstPosition = firstPosition;
    }

    void add(Bytes record, Completion completion) {
        records.add(record);
        completions.add(completion);
        bytes += record.length();
    }

    /// Calls all completions, even if one of them throws. The first exception is then thrown, which
    /// fails the writer.
    void acknowledge() {
        RuntimeException first = null;
        for (int index = 0; index < completions.size(); index++) {
            try {
                completions.get(index).completed(firstPosition + index, null);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        completions.clear();
        if (first != null) {
            throw first;
        }
    }

    /// Calls all completions with the failure. An exception from a completion is only added to the
    /// failure.
    void refuse(LogException failure) {
        for (int index = 0; index < completions.size(); index++) {
            try {
                completions.get(index).completed(firstPosition + index, failure);
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
