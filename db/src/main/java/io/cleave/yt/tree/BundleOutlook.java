package io.cleave.yt.tree;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What the balancer would do with the tables of bundles, and what keeps it from that.
///
/// Threads: any.
public interface BundleOutlook {
    /// There is no balancer.
    BundleOutlook NONE =
            new BundleOutlook() {
                @Override
                public SequencedMap<String, Work> now(String bundle) {
                    return new LinkedHashMap<>();
                }

                @Override
                public List<Problem> problems(String bundle) {
                    return List.of();
                }
            };

    /// What a round of each group would do if it began now, by the group's name. Groups that it
    /// would not change are not there.
    SequencedMap<String, Work> now(String bundle);

    /// What kept the bundle from being balanced lately, oldest first.
    List<Problem> problems(String bundle);

    /// The changes of a round. Sizes are in bytes.
    record Work(
            int reshards,
            int resharded,
            long reshardedBytes,
            int made,
            int moved,
            long movedBytes) {}

    /// An error, with the time when it occurred last.
    record Problem(long micros, String text) {}
}
