package io.cleave.yt.tree;

import io.cleave.balance.yt.settings.OptionReader;
import io.cleave.value.YsonNode;

/// Checks the options of a bundle, which say how YTsaurus stores the logs and the snapshots of its
/// cells. Here they are stored and shown, and have no effect: the storage is chosen when the server
/// starts. Options that are not known are stored, too.
final class BundleOptions {
    private static final int MOST_PEERS = 10;
    private static final int MOST_COPIES = 20;

    private BundleOptions() {}

    /// Throws unless a client may set these options.
    static void check(YsonNode given) {
        OptionReader options = OptionReader.root(given);
        int _ = options.between("peer_count", 1, MOST_PEERS, 1);
        boolean _ = options.flag("independent_peers", false);
        int copies = options.between("changelog_replication_factor", 1, MOST_COPIES, 3);
        int readQuorum = options.between("changelog_read_quorum", 1, MOST_COPIES, 2);
        int writeQuorum = options.between("changelog_write_quorum", 1, MOST_COPIES, 2);
        int _ = options.between("snapshot_replication_factor", 1, MOST_COPIES, 3);
        for (String name :
                new String[] {
                    "changelog_account",
                    "snapshot_account",
                    "changelog_primary_medium",
                    "snapshot_primary_medium"
                }) {
            String _ = options.name(name, "default");
        }
        checkAtMost(options, "changelog_read_quorum", readQuorum, copies);
        checkAtMost(options, "changelog_write_quorum", writeQuorum, copies);
        if (readQuorum + writeQuorum < copies + 1) {
            throw options.inconsistent(
                    "Read/write quorums are not safe: changelog_read_quorum +"
                            + " changelog_write_quorum < changelog_replication_factor + 1");
        }
    }

    private static void checkAtMost(OptionReader options, String name, int value, int copies) {
        if (value > copies) {
            throw options.inconsistent(
                    "\"%s\" cannot be greater than \"changelog_replication_factor\""
                            .formatted(name));
        }
    }
}
