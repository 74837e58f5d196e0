package io.cleave.bench.abuse;

import io.cleave.bench.DocsPage;

import java.io.IOException;
import java.nio.file.Path;

/// Writes `docs/benchmarks/abuse.md`: the output of a complete run, and the conditions under which
/// it was measured.
final class AbusePage {
    private AbusePage() {}

    static Path write(String figures, int seconds) throws IOException {
        String text =
                """
                # A server under attack

                Written by `./cleave bench abuse`, which runs it again (ten minutes on a quiet machine); what stands under *Notes*
                is kept. `--only`, `--heap` and `--no-echo` run a part of it and write nothing.

                ```
                %s```

                ## The bars
                Of each attack, with each size of heap:

                - The process lives.
                - Every request that the server refuses has a status and a message that names the limit.
                - None of the good client's requests fails, and it gets every session that it asks for.
                - The good client's p99.9 is at most 250 ms, and its slowest at most 1 s, from arrival to answer in the server.
                - 10 s later the heap holds no more than 64 MB beyond what it held before. Both are measured after a full collection.
                - `/healthz` answers every time, within 250 ms.

                ## The attacks
                Each comes from a process of its own at the lowest priority (`nice -n 19`), since it shares the cores with the server. It has
                a fixed number of requests, and ends after %d s at the latest, or twice that for queries; what the server has not answered by
                then is counted as unfinished. Frames are written by hand. Attackers come from 127.0.0.2, the good client from 127.0.0.1; nothing is
                sent to another machine.

                | name | what it does |
                |---|---|
                | `groups5`, `groups50` | 5 and 50 `GROUP BY`s at once of a table of a million rows, each with a million groups |
                | `joins` | 20 cross joins of that table with itself |
                | `streams` | 200 `SELECT *` of it on one connection; 16 KB of each answer are taken, and no more |
                | `bombs` | 36 requests of 80 KB, packed by gzip, that are 80 MB when unpacked: long texts, and lists of 40 million empty values |
                | `unfinished` | 3 connections with four requests of 78 MB each, of which the last bytes never come |
                | `sessions` | 1,000 sessions that are never attached nor used; the good client opens others meanwhile |
                | `settings` | 65,000 calls that are opened and left, and then 20 SETTINGS frames of 16 KB that change their window |
                | `resets` | 800,000 calls on four connections that are reset as soon as they are opened; a connection that was closed is followed by another one |
                | `floods` | 500,000 frames each of empty DATA, empty CONTINUATION, PRIORITY, PING and empty SETTINGS, each kind on a connection of its own |
                | `posts` | 200 POSTs to the HTTP port whose body never comes |

                ## How it was measured
                - The server is started by `./cleave start` on a new folder, with `JDK_JAVA_OPTIONS=-Xmx512m` and then `-Xmx2g`. A server that
                  has missed a bar is started again on its folder before the next attack.
                - The good client selects rows by key, %d in a second over four connections with 16 sessions each, at times that do not
                  depend on the answers. It opens, attaches and closes a session five times a second.
                - Times in the server: a request counts from just before it is written to its socket, which over loopback is when the server's
                  kernel has it; the answer counts from when the client's kernel received it (`SO_TIMESTAMPNS`), which is when the server
                  wrote it. So the times have in them what a request waits before the server reads it, and not what the client waits for
                  a core. A request that was due while all sessions waited for the server counts from when it was due, and one that was never
                  answered counts with the time for which it was waited for. The times from the client's side are printed beside them.
                - `/healthz` is asked every 100 ms, each time on a new connection, and measured in the same way from before it connects.
                - The bare echo is gRPC's own server on Netty, which answers every request with a constant, beside the JDK's HTTP server. It is attacked in
                  the same way: what the good client notices there is what the machine does.

                Machine: %s.
                """
                        .formatted(
                                figures, seconds, GoodClient.REQUESTS_A_SECOND, DocsPage.machine());
        return DocsPage.write(System.getProperty("cleave.launcher", "cleave"), "abuse.md", text);
    }
}
