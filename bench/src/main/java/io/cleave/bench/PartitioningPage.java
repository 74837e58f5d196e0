package io.cleave.bench;

import java.io.IOException;
import java.nio.file.Path;

/// Writes `docs/benchmarks/partitioning.md`: the output of a complete run, and the conditions under
/// which it was measured.
final class PartitioningPage {
    private PartitioningPage() {}

    static Path write(String figures, int megabytes, double splitCpu, int gigabytes)
            throws IOException {
        String text =
                """
                # Tables that split and merge by themselves; read replicas; renames

                Written by `./cleave bench partitioning`, which runs it again (twenty minutes on a quiet machine); what
                stands under *Notes* is kept. `--only` runs a part of it and writes nothing.

                ```
                %s```

                ## How it was measured
                Clients and server share the machine; the server is a process of its own with a new folder. The clients use
                YDB's Java SDK and ask one thing after the other; what fails counts, and is not tried again but by those who load and erase.

                - Size: a table of %,d MB in rows of 4,000 bytes that do not compress, in no order of keys, under
                  `PARTITION_SIZE_MB = %d` and `MIN_PARTITIONS_COUNT = 8`, in four cells; four clients load 20 MB a second,
                  eight others read and write 1,000 rows of it all the time. Then all but every twentieth row is erased. What the eight notice is
                  compared with the same load and the same erasing of an eighth as many rows on a table of 30 tablets that do not change, on the same server, which
                  was warmed up until its figures stayed the same; it counts until the last tablet was split or merged. A batch of
                  rows that was refused comes again, and that may happen no more often than where tablets do not change. Merges wait
                  for 10 s instead of ten minutes.
                - Load: 32 clients, four reads to a write, 100,000 rows, of which one tablet has all when the load begins. Zipf: exponent
                  0.99, hot rows all over the table; one range: a hundredth of the keys. Share: rows read and written in a tablet over the last
                  five seconds, the most beside the mean of all tablets; it counts from when it is under 1.3 and
                  stays so, until nothing was split for 20 s. A tablet is cut by load from
                  %s %% of a core on, since the clients share the machine: by default it is 50 %%. The first key of Zipf's law has 8 %% of
                  the load, and no cut makes it less, so that more than 16 tablets could not be under 1.3.
                - Spread: a table of 200 MB in tablets of 5 to 10 MB, in four cells; on one server it stays in one cell, on the other
                  it is spread by size. Eight clients write two random rows of it in each transaction, on both servers in turns.
                - Stale reads: two replicas; the cell of the leader is frozen for 60 s.
                - Renames: a table of %d GB beside one of 100 MB, there and back.

                Machine: %s.
                """
                        .formatted(
                                figures,
                                megabytes,
                                Math.max(1, megabytes / SizePartitioning.SIZES),
                                "" + splitCpu,
                                gigabytes,
                                DocsPage.machine());
        return DocsPage.write(
                System.getProperty("cleave.launcher", "cleave"), "partitioning.md", text);
    }
}
