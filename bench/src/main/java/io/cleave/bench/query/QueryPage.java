package io.cleave.bench.query;

import io.cleave.bench.DocsPage;

import java.io.IOException;
import java.nio.file.Path;

/// Writes `docs/benchmarks/query.md`: the table of a complete run, and the conditions under which
/// it was measured.
final class QueryPage {
    private final Bars bars;
    private final int rows;
    private final int seconds;
    private final String postgres;

    QueryPage(Bars bars, int rows, int seconds, String postgres) {
        this.bars = bars;
        this.rows = rows;
        this.seconds = seconds;
        this.postgres = postgres;
    }

    Path write(String launcher) throws IOException {
        return DocsPage.write(launcher, "query.md", text());
    }

    private String text() throws IOException {
        return """
        # Queries beside PostgreSQL, H2 and a bare echo

        Written by `./cleave bench query`, which runs it again (half an hour on a quiet machine); what stands
        under *Notes* is kept. `--only`, `--rows` and `--seconds` run a part of it and write nothing.

        %s
        %s

        ## How it was measured
        Clients and servers share the machine; each server is a process of its own. All are asked through their
        JDBC drivers, one connection and one prepared statement a client, each statement its own transaction; the next
        is sent when the one before is answered. A figure is the middle one of three, each of %d seconds after a third of
        that and a longer warm-up that are not counted; those that are compared take turns, and 64 clients come before 16 and one. CPU is that of the whole server, with its collector, its
        compiler and its background work, and of all processes of PostgreSQL.

        - PostgreSQL: %s, `fsync=on`, `synchronous_commit=on`, 1 GB of shared buffers, two parallel workers
          a query. Its driver is told `reWriteBatchedInserts=true` for batches, and plans prepared statements once.
        - The echo is a bare gRPC server on the same generated stubs, JVM and options. It answers with the
          messages that Cleave answered to the first query of the same text, on the connection's thread.
        - Works by key: a table of up to 1,000,000 rows of an `Int64` and a text of 100 bytes, compacted or vacuumed first.
          Commits are synced in both. BulkUpsert is what the driver makes of `BULK UPSERT INTO`.
        - Group-by: %,d rows with the columns that the two queries need; numbers are `Double` and
          `double precision`, days `Date` and `date`, none of them null. Loaded with BulkUpsert and COPY, compacted, vacuumed and analyzed. The best of three runs after one that is not counted; the answers are compared.
        - StockLevel: one warehouse of TPC-C, 300,000 order lines and 100,000 rows of stock; the statement of the last 20 orders of a district, with the
          parameters of the specification, and what `EXPLAIN` says of its join (`--only stocklevel`).
        - Inside the JVM: 100,000 rows; Cleave through `query.Database`, H2 2.4 through JDBC on an MVStore file with
          `WRITE_DELAY=0` and `CHECKPOINT SYNC` after each commit: without the second it does not sync.
        - Ten million rows: `SELECT` without a limit through ExecuteQuery, read as a stream (`useStreamResultSets`). The heap that the
          server holds after a full collection, at eight points of the stream, at the most, less what it held before.
        - ASYNC index: 16 clients upsert rows of a table that has one; what `.sys/async_indexes` says of its lag then: how long
          the oldest write of a batch waited until the index had it durably, in 99 of 100 batches.
        - New queries: six simple kinds of texts (by key, by range, aggregate, three writes), no text twice; CPU of the compiling thread.

        Machine: %s.
        """
                .formatted(bars.text(), bars.sum(), seconds, postgres, rows, DocsPage.machine());
    }
}
