package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

class BookKeeperSettingsTest {
    @Test
    void serversAndPathAreEnough() {
        var settings = BookKeeperSettings.parse("bookkeeper://zk1:2181,zk2:2182/cleave/one");

        assertThat(settings.servers()).isEqualTo("zk1:2181,zk2:2182");
        assertThat(settings.root()).isEqualTo("/cleave/one");
        assertThat(settings.ensemble()).isEqualTo(3);
        assertThat(settings.writeQuorum()).isEqualTo(3);
        assertThat(settings.ackQuorum()).isEqualTo(2);
        assertThat(settings.metadataServiceUri())
                .isEqualTo("zk+hierarchical://zk1:2181;zk2:2182/ledgers");
    }

    @Test
    void parametersChangeWhatIsDefault() {
        var settings =
                BookKeeperSettings.parse(
                        "bookkeeper://zk:2181/c?ensemble=5&write-quorum=3&ack-quorum=3"
                                + "&ledgers=/bk/ledgers&session-seconds=4");

        assertThat(settings.ensemble()).isEqualTo(5);
        assertThat(settings.ackQuorum()).isEqualTo(3);
        assertThat(settings.ledgersRoot()).isEqualTo("/bk/ledgers");
        assertThat(settings.sessionTimeout()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void aSmallEnsembleNeedsNoQuorums() {
        var settings = BookKeeperSettings.parse("bookkeeper://zk:2181/c?ensemble=1");
        assertThat(settings.writeQuorum()).isEqualTo(1);
        assertThat(settings.ackQuorum()).isEqualTo(1);
    }

    @Test
    void aFileOfClientSettingsGoesToTheClient(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("client.conf");
        Files.writeString(file, "tlsProvider=OpenSSL\nclientTrustStore=/etc/trust.jks\n");

        var settings = BookKeeperSettings.parse("bookkeeper://zk:2181/c?config=" + file);

        var client = settings.clientConfiguration();
        assertThat(client.getTLSProvider()).isEqualTo("OpenSSL");
        assertThat(client.getTLSTrustStore()).isEqualTo("/etc/trust.jks");
    }

    @Test
    void aMistakeIsNamed() {
        refused("postgres://x", "bookkeeper://");
        refused("bookkeeper://zk:2181", "/cleave");
        refused("bookkeeper:///cleave", "/cleave");
        refused("bookkeeper://zk/cleave", "HOST:PORT");
        refused("bookkeeper://zk:2181/", "path");
        refused("bookkeeper://zk:2181/c?ensemble=0", "ensemble");
        refused("bookkeeper://zk:2181/c?ensemble=2&write-quorum=3", "write-quorum");
        refused("bookkeeper://zk:2181/c?quorum=3", "quorum");
        refused("bookkeeper://zk:2181/c?ensemble", "NAME=VALUE");
        refused("bookkeeper://zk:2181/c?ensemble=3&ensemble=3", "twice");
        refused("bookkeeper://zk:2181/c?config=/no/such/file", "config");
    }

    private static void refused(String text, String naming) {
        assertThatThrownBy(() -> BookKeeperSettings.parse(text))
                .as(text)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(naming);
    }
}
