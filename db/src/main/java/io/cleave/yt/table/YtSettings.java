package io.cleave.yt.table;

import io.cleave.balance.yt.settings.TableConfig;
import io.cleave.base.Bytes;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The settings of one table. Pure.
public final class YtSettings {
    /// 30 minutes.
    static final long DEFAULT_DATA_TTL = 1_800_000;

    /// The values of `in_memory_mode`.
    static final List<String> IN_MEMORY_MODES = List.of("none", "compressed", "uncompressed");

    private final YtTable table;

    YtSettings(YtTable table) {
        this.table = table;
    }

    public static YtSettings of(Table table) {
        return new YtSettings(table.options().yt().orElse(YtTable.OTHER));
    }

    /// The minimum time for which old versions of rows are kept, for reads of the past. It is 0 if
    /// it was not set and the table was not created with YTsaurus' API.
    public long minDataTtlMillis() {
        return number(YtSetting.MIN_DATA_TTL);
    }

    public long maxDataTtlMillis() {
        return number(YtSetting.MAX_DATA_TTL);
    }

    public long minDataVersions() {
        return number(YtSetting.MIN_DATA_VERSIONS);
    }

    public long maxDataVersions() {
        return number(YtSetting.MAX_DATA_VERSIONS);
    }

    String inMemoryMode() {
        return text(YtSetting.IN_MEMORY_MODE);
    }

    /// The settings of the balancer, as a client has set them.
    YsonNode balancerConfig() {
        return set(YtSetting.TABLET_BALANCER_CONFIG).orElse(YsonNode.Members.EMPTY);
    }

    boolean isInMemory() {
        return !inMemoryMode().equals("none");
    }

    /// Whether the settings decide how the table is stored. A table that was created by YQL keeps
    /// the options of YQL until one of these settings is set.
    boolean decideStorage() {
        return table.made()
                || set(YtSetting.COMPRESSION_CODEC).isPresent()
                || set(YtSetting.PRIMARY_MEDIUM).isPresent();
    }

    boolean isCompressed() {
        // Blocks that are uncompressed in memory are also stored uncompressed, so their size is
        // known.
        return !text(YtSetting.COMPRESSION_CODEC).equals("none")
                && !inMemoryMode().equals("uncompressed");
    }

    /// The name of the medium; empty for the default medium.
    String medium() {
        String name = text(YtSetting.PRIMARY_MEDIUM);
        return name.equals("default") ? "" : name;
    }

    private long number(YtSetting setting) {
        return setting == YtSetting.MIN_DATA_TTL && !table.made() && set(setting).isEmpty()
                ? 0
                : value(setting)
                        .filter(node -> node instanceof YsonNode.Int64)
                        .map(node -> ((YsonNode.Int64) node).value())
                        .orElse(0L);
    }

    private String text(YtSetting setting) {
        return value(setting).flatMap(YsonNode::string).orElse("");
    }

    /// The value that was set.
    Optional<YsonNode> set(YtSetting setting) {
        return Optional.ofNullable(table.settings().get(setting.attribute))
                .flatMap(YsonNode::parse);
    }

    /// The value that was set, or the default.
    Optional<YsonNode> value(YtSetting setting) {
        return set(setting).or(setting::byDefault);
    }

    /// The settings with another value for this setting. Throws if the value is not allowed.
    YtTable with(YtSetting setting, YsonNode given) {
        YsonNode value = setting.checked(given);
        checkSupported(setting, value);
        if (setting == YtSetting.TABLET_BALANCER_CONFIG) {
            TableConfig.check(value);
        }
        SortedMap<String, Bytes> changed = new TreeMap<>(table.settings());
        changed.put(setting.attribute, YsonWriter.write(value, YsonWriter.Format.BINARY));
        YtTable after = table.withSettings(changed);
        new YtSettings(after).check();
        return after;
    }

    /// The settings without a value for this setting.
    YtTable without(YtSetting setting) {
        SortedMap<String, Bytes> changed = new TreeMap<>(table.settings());
        changed.remove(setting.attribute);
        YtTable after = table.withSettings(changed);
        new YtSettings(after).check();
        return after;
    }

    /// Refuses values that YTsaurus allows and that would change which rows are read.
    private static void checkSupported(YtSetting setting, YsonNode value) {
        if (setting == YtSetting.ATOMICITY && value.equals(YsonNode.text("none"))) {
            throw problem("Atomicity \"none\" is not supported: all transactions are atomic");
        }
        if (setting == YtSetting.MIN_DATA_VERSIONS && value.equals(YsonNode.of(0))) {
            throw problem(
                    "\"min_data_versions\" must be at least 1: rows do not expire after"
                            + " \"max_data_ttl\"; set a TTL with YQL's ALTER TABLE instead");
        }
    }

    /// Checks settings that depend on each other.
    private void check() {
        boolean hashed = value(YtSetting.ENABLE_LOOKUP_HASH_TABLE).equals(TRUE);
        if (hashed && !text(YtSetting.IN_MEMORY_MODE).equals("uncompressed")) {
            throw problem(
                    "\"enable_lookup_hash_table\" can only be true if \"in_memory_mode\" is"
                            + " \"uncompressed\"");
        }
        if (text(YtSetting.COMMIT_ORDERING).equals("strong")) {
            throw problem("Commit ordering \"strong\" is not supported for sorted tables");
        }
    }

    private static final Optional<YsonNode> TRUE = Optional.of(YsonNode.bool(true));

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
