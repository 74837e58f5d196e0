package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;

import org.apache.bookkeeper.client.api.DigestType;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class TestLedgersTest {
    /// BookKeeper, ZooKeeper, gRPC and protobuf in one process: docs/decisions/0014.
    @Test
    void aLedgerIsWrittenAndReadBesideANode() throws Exception {
        try (var ledgers = TestLedgers.start();
                var client = ledgers.newClient();
                Node node = Node.start(NodeOptions.inMemory())) {
            assertThat(node.grpcPort()).isPositive();
            byte[] password = new byte[0];
            var writer =
                    client.newCreateLedgerOp()
                            .withEnsembleSize(3)
                            .withWriteQuorumSize(3)
                            .withAckQuorumSize(2)
                            .withDigestType(DigestType.CRC32C)
                            .withPassword(password)
                            .execute()
                            .get();
            writer.append("hello".getBytes(StandardCharsets.UTF_8));
            long id = writer.getId();
            writer.close();
            try (var reader =
                            client.newOpenLedgerOp()
                                    .withLedgerId(id)
                                    .withDigestType(DigestType.CRC32C)
                                    .withPassword(password)
                                    .execute()
                                    .get();
                    var entries = reader.read(0, 0)) {
                assertThat(entries.getEntry(0).getEntryBytes())
                        .isEqualTo("hello".getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
