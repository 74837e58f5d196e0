package io.cleave.bookkeeper;

import io.cleave.base.Check;

import org.apache.bookkeeper.conf.ClientConfiguration;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/// The address of the cluster and the settings of its ledgers:
/// `bookkeeper://zk1:2181,zk2:2181/cleave`, followed by `?` and the parameters that differ from the
/// defaults.
///
/// | parameter | meaning | default |
/// |---|---|---|
/// | `ensemble` | bookies that a ledger is spread over | 3 |
/// | `write-quorum` | copies of each entry | 3 |
/// | `ack-quorum` | minimum copies of an acknowledged entry | 2 |
/// | `ledgers` | where the bookies are registered in ZooKeeper | `/ledgers` |
/// | `session-seconds` | silence after which ZooKeeper considers a node dead | 10 |
/// | `stall-seconds` | time without progress after which writes are refused | 10 |
/// | `roll-minutes` | age at which a ledger of 1 MiB or more is followed by a new one | 60 |
/// | `config` | a file of BookKeeper's own client settings: TLS, authentication … | none |
///
/// The entries of the file are passed to BookKeeper's client unchanged and override everything
/// here. So secrets need not be on the command line. ZooKeeper's client reads its own system
/// properties.
///
/// @param servers of ZooKeeper, in the form that its clients expect
/// @param root the ZooKeeper node below which everything of this database is
/// @param client settings of BookKeeper's client, by their BookKeeper names
public record BookKeeperSettings(
        String servers,
        String root,
        String ledgersRoot,
        int ensemble,
        int writeQuorum,
        int ackQuorum,
        Duration sessionTimeout,
        Duration stallTimeout,
        Duration rollAge,
        Map<String, String> client) {
    public static final String SCHEME = "bookkeeper://";

    private static final String EXAMPLE = SCHEME + "zk1:2181,zk2:2181/cleave";

    /// The time after which a second bookie is asked for an entry; a third is asked after twice
    /// that time. A healthy bookie answers in a few milliseconds. BookKeeper's default is two
    /// seconds.
    private static final Duration SECOND_READ = Duration.ofMillis(20);

    private static final String PATH = "(/[A-Za-z0-9_.-]+)+";

    public BookKeeperSettings {
        Check.that(1 <= ackQuorum, "an ack quorum of %d", ackQuorum);
        Check.that(ackQuorum <= writeQuorum, "quorums %d of %d", ackQuorum, writeQuorum);
        Check.that(writeQuorum <= ensemble, "quorum %d of %d", writeQuorum, ensemble);
        client = Map.copyOf(client);
    }

    /// Default settings for ZooKeeper at these servers.
    public static BookKeeperSettings at(String servers, String root) {
        return parse(SCHEME + servers + root);
    }

    /// Throws [IllegalArgumentException] with a description of the error.
    public static BookKeeperSettings parse(String text) {
        refuseUnless(
                text.startsWith(SCHEME),
                "storage must look like " + EXAMPLE + ", not like '" + text + "'");
        String[] parts = text.substring(SCHEME.length()).split("\\?", 2);
        int slash = parts[0].indexOf('/');
        refuseUnless(slash > 0, "storage needs servers and a path, as in " + EXAMPLE);
        String servers = parts[0].substring(0, slash);
        refuseUnless(
                servers.matches("[^,:/]+:\\d+(,[^,:/]+:\\d+)*"),
                "servers of ZooKeeper must be HOST:PORT,HOST:PORT, not '" + servers + "'");
        String root = parts[0].substring(slash);
        refuseUnless(root.matches(PATH), "the path must look like /cleave, not '" + root + "'");
        return read(servers, root, parameters(parts.length == 2 ? parts[1] : ""));
    }

    private static BookKeeperSettings read(String servers, String root, Map<String, String> given) {
        String ledgers = take(given, "ledgers", "/ledgers");
        refuseUnless(ledgers.matches(PATH), "ledgers must be a path, not '" + ledgers + "'");
        int ensemble = number(given, "ensemble", 3);
        int writeQuorum = number(given, "write-quorum", Math.min(3, ensemble));
        int ackQuorum = number(given, "ack-quorum", Math.min(2, writeQuorum));
        refuseUnless(
                ackQuorum <= writeQuorum && writeQuorum <= ensemble,
                "ack-quorum <= write-quorum <= ensemble must hold, but they are %d, %d, %d"
                        .formatted(ackQuorum, writeQuorum, ensemble));
        var session = Duration.ofSeconds(number(given, "session-seconds", 10));
        var stall = Duration.ofSeconds(number(given, "stall-seconds", 10));
        var rollAge = Duration.ofMinutes(number(given, "roll-minutes", 60));
        Map<String, String> client = clientFile(take(given, "config", ""));
        refuseUnless(given.isEmpty(), "storage has no parameter " + given.keySet());
        return new BookKeeperSettings(
                servers,
                root,
                ledgers,
                ensemble,
                writeQuorum,
                ackQuorum,
                session,
                stall,
                rollAge,
                client);
    }

    private static Map<String, String> parameters(String text) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : text.isEmpty() ? new String[0] : text.split("&")) {
            String[] parts = pair.split("=", 2);
            refuseUnless(parts.length == 2, "a parameter must be NAME=VALUE, not '" + pair + "'");
            String value = URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
            refuseUnless(parameters.put(parts[0], value) == null, parts[0] + " is given twice");
        }
        return parameters;
    }

    private static String take(Map<String, String> given, String name, String otherwise) {
        String value = given.remove(name);
        return value == null ? otherwise : value;
    }

    private static int number(Map<String, String> given, String name, int otherwise) {
        String value = take(given, name, Integer.toString(otherwise));
        refuseUnless(
                value.matches("[1-9]\\d{0,5}"), name + " must be a number from 1, not " + value);
        return Integer.parseInt(value);
    }

    private static Map<String, String> clientFile(String file) {
        Map<String, String> settings = new HashMap<>();
        if (!file.isEmpty()) {
            var properties = new Properties();
            try (var reader = Files.newBufferedReader(Path.of(file))) {
                properties.load(reader);
            } catch (IOException e) {
                throw new IllegalArgumentException("config cannot be read: " + e, e);
            }
            for (String name : properties.stringPropertyNames()) {
                settings.put(name, properties.getProperty(name));
            }
        }
        return settings;
    }

    private static void refuseUnless(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }

    /// These settings with other quorums.
    public BookKeeperSettings withQuorums(int ensemble, int writeQuorum, int ackQuorum) {
        return new BookKeeperSettings(
                servers,
                root,
                ledgersRoot,
                ensemble,
                writeQuorum,
                ackQuorum,
                sessionTimeout,
                stallTimeout,
                rollAge,
                client);
    }

    /// These settings with another age at which a log continues in a new ledger.
    public BookKeeperSettings withRollAge(Duration rollAge) {
        return new BookKeeperSettings(
                servers,
                root,
                ledgersRoot,
                ensemble,
                writeQuorum,
                ackQuorum,
                sessionTimeout,
                stallTimeout,
                rollAge,
                client);
    }

    /// These settings with another root: another database on the same bookies.
    public BookKeeperSettings withRoot(String root) {
        return new BookKeeperSettings(
                servers,
                root,
                ledgersRoot,
                ensemble,
                writeQuorum,
                ackQuorum,
                sessionTimeout,
                stallTimeout,
                rollAge,
                client);
    }

    /// The name for messages.
    public String name() {
        return SCHEME + servers + root;
    }

    /// The address of the bookies' metadata, in BookKeeper's form.
    public String metadataServiceUri() {
        return "zk+hierarchical://" + servers.replace(',', ';') + ledgersRoot;
    }

    /// The password of ledgers, which BookKeeper requires; empty by default.
    byte[] ledgerPassword() {
        return client.getOrDefault("passwd", "").getBytes(StandardCharsets.UTF_8);
    }

    /// The configuration of BookKeeper's client.
    public ClientConfiguration clientConfiguration() {
        var configuration = new ClientConfiguration();
        configuration.setMetadataServiceUri(metadataServiceUri());
        configuration.setZkTimeout((int) sessionTimeout.toMillis());
        // The log's queue limits the bytes in flight; this setting would limit appends per second.
        configuration.setThrottleValue(0);
        // A ledger keeps its bookies while the ack quorum answers, and replaces one only when it
        // does not.
        configuration.setDelayEnsembleChange(true);
        // Limits how long a hung bookie delays each read of a takeover.
        configuration.setFirstSpeculativeReadTimeout((int) SECOND_READ.toMillis());
        // Bookies on other machines count the same as a local one.
        configuration.setProperty("ignoreLocalNodeInPlacementPolicy", true);
        client.forEach(configuration::setProperty);
        return configuration;
    }
}
