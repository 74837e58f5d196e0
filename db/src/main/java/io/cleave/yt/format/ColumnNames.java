package io.cleave.yt.format;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Numbers the names of columns from 0, in the order in which they first occur. A reader of rows
/// has one, so that a field is found by a number and not by its name.
///
/// Threads: one at a time.
public final class ColumnNames {
    private final Map<Bytes, Integer> ids = new HashMap<>();
    private final List<Bytes> names = new ArrayList<>();

    /// The number of the name, which may be new.
    public int idOf(Bytes name) {
        Integer known = ids.get(name);
        if (known != null) {
            return known;
        }
        int id = names.size();
        ids.put(name, id);
        names.add(name);
        return id;
    }

    public Bytes name(int id) {
        return names.get(id);
    }

    public int count() {
        return names.size();
    }
}
