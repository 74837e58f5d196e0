package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.http.RawHttp;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.YtPort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;

/// Settings of tables that were replaced or copied.
class SettingChangesTest {
    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = Node.start(NodeOptions.inMemory().withYtPort(new YtPort.Chosen(0)));
        post(
                "create",
                "{type=table;path=\"//home/t\";recursive=%true;attributes={dynamic=%true;"
                    + "schema=[{name=k;type=int64;sort_order=ascending};{name=v;type=string}]}}");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String post(String command, String parameters) throws IOException {
        return answer(
                "POST /api/v4/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-yt-yson-text\r\nX-YT-Output-Format: <format=text>yson\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(command, parameters.length(), parameters));
    }

    private void set(String parameters, String value) throws IOException {
        var _ =
                answer(
                        "PUT /api/v4/set HTTP/1.1\r\nHost: localhost\r\nX-YT-Header-Format: <format=text>yson\r\nX-YT-Input-Format: <format=text>yson\r\nX-YT-Parameters: %s\r\nContent-Length: %d\r\n\r\n%s"
                                .formatted(parameters, value.length(), value));
    }

    private String answer(String request) throws IOException {
        try (var client = new RawHttp(node.ytPort().orElseThrow())) {
            RawHttp.Reply reply = client.send(request).reply();
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            return reply.body();
        }
    }

    /// The table has a new id, and its node has the old one.
    @Test
    void aSettingOfATableWithAnotherSchemaIsKept() throws Exception {
        post(
                "alter_table",
                "{path=\"//home/t\";schema=[{name=x;type=string;sort_order=ascending};{name=v;type=string}]}");
        set("{path=\"//home/t/@optimize_for\"}", "scan");
        assertThat(post("get", "{path=\"//home/t/@optimize_for\"}")).contains("scan");
    }

    /// The table gets another id before the change, and again before the commit.
    @Test
    void aSettingOfATransactionIsKeptWhenTheTableGetsAnotherSchema() throws Exception {
        String alter =
                "{path=\"//home/t\";schema=[{name=%s;type=string;sort_order=ascending};{name=v;type=string}]}";
        post("alter_table", alter.formatted("x"));
        String in = transaction();
        set("{path=\"//home/t/@optimize_for\";" + in + "}", "scan");
        post("alter_table", alter.formatted("y"));
        String get = "{path=\"//home/t/@optimize_for\";";
        assertThat(post("get", get + in + "}")).contains("scan");
        post("copy", "{source_path=\"//home/t\";destination_path=\"//home/u\";" + in + "}");
        post("commit_transaction", "{" + in + "}");
        assertThat(post("get", get + "}")).contains("scan");
        assertThat(post("get", "{path=\"//home/u/@optimize_for\"}")).contains("scan");
    }

    private String transaction() throws IOException {
        return "transaction_id=\""
                + post("start_transaction", "{}")
                        .replaceAll("(?s).*\"([0-9a-f-]+)\".*", "$1")
                        .strip()
                + "\"";
    }

    @Test
    void aCopyHasSettingsThatDependOnEachOther() throws Exception {
        String in = transaction();
        set("{path=\"//home/t/@in_memory_mode\";" + in + "}", "uncompressed");
        set("{path=\"//home/t/@enable_lookup_hash_table\";" + in + "}", "%true");
        post("copy", "{source_path=\"//home/t\";destination_path=\"//home/u\";" + in + "}");
        post("commit_transaction", "{" + in + "}");
        assertThat(post("get", "{path=\"//home/u/@enable_lookup_hash_table\"}")).contains("true");
    }
}
