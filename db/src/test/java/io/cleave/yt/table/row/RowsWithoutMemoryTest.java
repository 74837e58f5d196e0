package io.cleave.yt.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.http.RawHttp;
import io.cleave.memory.MemoryPool;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.YtPort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;

/// Writes of tablet transactions when the memory for transactions is in use.
class RowsWithoutMemoryTest {
    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = Node.start(NodeOptions.inMemory().withYtPort(new YtPort.Chosen(0)));
        String create =
                "{type=table;path=\"//home/t\";recursive=%true;attributes={dynamic=%true;schema=[{name=k;type=int64;sort_order=ascending};{name=v;type=int64}]}}";
        assertThat(send("create", create, "").status()).isEqualTo(200);
        assertThat(send("mount_table", "{path=\"//home/t\"}", "").status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private RawHttp.Reply send(String command, String parameters, String body) throws IOException {
        try (var client = new RawHttp(node.ytPort().orElseThrow())) {
            return client.send(
                            "%s /api/v4/%s HTTP/1.1\r\nHost: localhost\r\nX-YT-Header-Format: <format=text>yson\r\nX-YT-Output-Format: <format=text>yson\r\nX-YT-Parameters: %s\r\nContent-Length: %d\r\n\r\n%s"
                                    .formatted(
                                            body.isEmpty() ? "POST" : "PUT",
                                            command,
                                            parameters,
                                            body.length(),
                                            body))
                    .reply();
        }
    }

    /// The client was told that the memory is in use, so it must not find the rows afterwards.
    @Test
    void rowsForWhichThereWasNoMemoryAreNotCommitted() throws Exception {
        String id =
                send("start_transaction", "{type=tablet}", "")
                        .body()
                        .replaceAll("(?s).*\"([0-9a-f-]+)\".*", "$1")
                        .strip();
        MemoryPool pool = node.frontDoor().memory().transactions();
        long free = pool.limitBytes() - pool.usedBytes();
        assertThat(pool.tryTake(free)).isTrue();
        RawHttp.Reply written =
                send(
                        "insert_rows",
                        "{path=\"//home/t\";transaction_id=\"" + id + "\"}",
                        "{k=1;v=1};");
        pool.give(free);
        RawHttp.Reply committed = send("commit_transaction", "{transaction_id=\"" + id + "\"}", "");
        assertThat(written.body() + committed.body()).contains("memory for transactions");
        assertThat(committed.status()).as(committed.body()).isEqualTo(400);
        assertThat(send("lookup_rows", "{path=\"//home/t\"}", "{k=1};").body()).isBlank();
    }
}
