package io.cleave.yt.tree;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The bundle `uneven` has something to balance, and an error.
final class TestOutlook implements BundleOutlook {
    @Override
    public SequencedMap<String, Work> now(String bundle) {
        var now = new LinkedHashMap<String, Work>();
        if (bundle.equals("uneven")) {
            now.put("legacy", new Work(1, 2, 1000, 3, 4, 5000));
        }
        return now;
    }

    @Override
    public List<Problem> problems(String bundle) {
        return bundle.equals("uneven")
                ? List.of(new Problem(1_000_000, "Division by zero"))
                : List.of();
    }
}
