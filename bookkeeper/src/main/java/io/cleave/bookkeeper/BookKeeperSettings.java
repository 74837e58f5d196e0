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

/// Where the cluster is and how its ledgers are kept: `bookkeeper://zk1:2181,zk2:2181/cleave`, and
/// after a `?` what is not as by default.
///
/// | parameter | meaning | default |
/// |---|---|---|
/// | `ensemble` | bookies that a ledger is spread over | 3 |
/// | `write-quorum` | copies of each entry | 3 |
/// | `ack-quorum` | copies that an acknowledged entry has at least | 2 |
/// | `ledgers` | where the bookies are registered in ZooKeeper | `/ledgers` |
/// | `session-seconds` | after which ZooKeeper takes a silent node for dead | 10 |
/// | `stall-seconds` | after which writes that the bookies do not take are refused | 10 |
/// | `roll-minutes` | after which a log goes on in another ledger, if this one has 1 MiB or more | 60 |
/// | `config` | a file of BookKeeper's own client settings: TLS, authentication … | none |
///
/// What the file says goes to BookKeeper's client as it is and wins over everything here; secrets
/// so stay off the command line. ZooKeeper's client reads its own system properties.
///
/// @param servers of ZooKeeper, as its clients want them
/// @param root the node of ZooKeeper that everything of this database is below
/// @param client settings of BookKeeper's client, by its names
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

    /// When a second bookie is asked for an entry, and after twice the time the third. A bookie
    /// that is well answers in a few milliseconds. BookKeeper's own choice is two seconds.
    private static final Duration SECOND_READ = Duration.ofMillis(20);

    private static final String PATH = "(/[A-Za-z0-9_.-]+)+";

    public BookKeeperSettings {
        Check.that(1 <= ackQuorum, "an ack quorum of %d", ackQuorum);
        Check.that(ackQuorum <= writeQuorum, "quorums %d of %d", ackQuorum, writeQuorum);
        Check.that(writeQuorum <= ensemble, "quorum %d of %d", writeQuorum, ensemble);
        client = Map.copyOf(client);
    }

    /// By default, for ZooKeeper at these servers.
    public static BookKeeperSettings at(String servers, String root) {
        return parse(SCHEME + servers + root);
    }

    /// Throws [IllegalArgumentException] with what is wrong.
    public static BookKeeperSettings parse(String text) {
        refuseUnless(text.startsWith(SCHEME), "storage is " + EXAMPLE + ", and not '" + text + "'");
        String[] parts = text.substring(SCHEME.length()).split("\\?", 2);
        int slash = parts[0].indexOf('/');
        refuseUnless(slash > 0, "storage needs servers and a path, as in " + EXAMPLE);
        String servers = parts[0].substring(0, slash);
        refuseUnless(
                servers.matches("[^,:/]+:\\d+(,[^,:/]+:\\d+)*"),
                "servers of ZooKeeper are HOST:PORT,HOST:PORT, and not '" + servers + "'");
        String root = parts[0].substring(slash);
        refuseUnless(root.matches(PATH), "the path is one like /cleave, and not '" + root + "'");
        return read(servers, root, parameters(parts.length == 2 ? parts[1] : ""));
    }

    private static BookKeeperSettings read(String servers, String root, Map<String, String> given) {
        String ledgers = take(given, "ledgers", "/ledgers");
        refuseUnless(ledgers.matches(PATH), "ledgers is a path, and not '" + ledgers + "'");
        int ensemble = number(given, "ensemble", 3);
        int writeQuorum = number(given, "write-quorum", Math.min(3, ensemble));
        int ackQuorum = number(given, "ack-quorum", Math.min(2, writeQuorum));
        refuseUnless(
                ackQuorum <= writeQuorum && writeQuorum <= ensemble,
                "ack-quorum <= write-quorum <= ensemble, and not %d, %d, %d"
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
            refuseUnless(parts.length == 2, "a parameter is NAME=VALUE, and not '" + pair + "'");
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
                value.matches("[1-9]\\d{0,5}"), name + " is a number from 1, and not " + value);
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

    /// The same with other quorums.
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

    /// The same with another age at which a log goes on in another ledger.
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

    /// The same below another node of ZooKeeper: another database on the same bookies.
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

    /// For messages.
    public String name() {
        return SCHEME + servers + root;
    }

    /// How BookKeeper itself is told where its bookies are.
    public String metadataServiceUri() {
        return "zk+hierarchical://" + servers.replace(',', ';') + ledgersRoot;
    }

    /// Of ledgers; BookKeeper asks for one, and it is none by default.
    byte[] ledgerPassword() {
        return client.getOrDefault("passwd", "").getBytes(StandardCharsets.UTF_8);
    }

    /// For BookKeeper's client.
    public ClientConfiguration clientConfiguration() {
        var configuration = new ClientConfiguration();
        configuration.setMetadataServiceUri(metadataServiceUri());
        configuration.setZkTimeout((int) sessionTimeout.toMillis());
        // What is in flight is bounded by the log's queue; this one counts appends per second.
        configuration.setThrottleValue(0);
        // A ledger goes on while the ack quorum answers, and looks for another bookie only then.
        configuration.setDelayEnsembleChange(true);
        // A bookie that hangs holds a takeover up for no longer than this, for each read.
        configuration.setFirstSpeculativeReadTimeout((int) SECOND_READ.toMillis());
        // A bookie of another machine counts as well as ours.
        configuration.setProperty("ignoreLocalNodeInPlacementPolicy", true);
        client.forEach(configuration::setProperty);
        return configuration;
    }
}
