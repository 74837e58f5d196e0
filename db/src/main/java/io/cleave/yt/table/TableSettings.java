package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The settings of one table. Pure.
public final class TableSettings {
    /// 30 minutes.
    static final long DEFAULT_DATA_TTL = 1_800_000;

    private final YtTable table;

    TableSettings(YtTable table) {
        this.table = table;
    }

    public static TableSettings of(Table table) {
        return new TableSettings(table.options().yt().orElse(YtTable.OTHER));
    }

    /// How long versions of rows are kept at least, for reads of the past; 0 for a table that
    /// YTsaurus' API has not made, unless it was set.
    public long minDataTtlMillis() {
        return number(TableSetting.MIN_DATA_TTL);
    }

    public long maxDataTtlMillis() {
        return number(TableSetting.MAX_DATA_TTL);
    }

    public long minDataVersions() {
        return number(TableSetting.MIN_DATA_VERSIONS);
    }

    public long maxDataVersions() {
        return number(TableSetting.MAX_DATA_VERSIONS);
    }

    /// Whether transactions on the table are atomic.
    public boolean isAtomic() {
        return text(TableSetting.ATOMICITY).equals("full");
    }

    String inMemoryMode() {
        return text(TableSetting.IN_MEMORY_MODE);
    }

    boolean isInMemory() {
        return !inMemoryMode().equals("none");
    }

    boolean isCompressed() {
        return !text(TableSetting.COMPRESSION_CODEC).equals("none");
    }

    /// The name of the medium; empty for the default one.
    String medium() {
        String name = text(TableSetting.PRIMARY_MEDIUM);
        return name.equals("default") ? "" : name;
    }

    private long number(TableSetting setting) {
        return setting == TableSetting.MIN_DATA_TTL && !table.made() && set(setting).isEmpty()
                ? 0
                : value(setting)
                        .filter(node -> node instanceof YsonNode.Int64)
                        .map(node -> ((YsonNode.Int64) node).value())
                        .orElse(0L);
    }

    private String text(TableSetting setting) {
        return value(setting).flatMap(YsonNode::string).orElse("");
    }

    /// The value that was set.
    Optional<YsonNode> set(TableSetting setting) {
        return Optional.ofNullable(table.settings().get(setting.attribute))
                .flatMap(YsonNode::parse);
    }

    /// The value that was set, or the default.
    Optional<YsonNode> value(TableSetting setting) {
        return set(setting).or(setting::byDefault);
    }

    /// The settings with another value; throws if the value is not allowed.
    YtTable with(TableSetting setting, YsonNode given) {
        YsonNode value = setting.checked(given);
        SortedMap<String, Bytes> changed = new TreeMap<>(table.settings());
        changed.put(setting.attribute, YsonWriter.write(value, YsonWriter.Format.BINARY));
        YtTable after = table.withSettings(changed);
        new TableSettings(after).check();
        return after;
    }

    /// The settings without a value of their own.
    YtTable without(TableSetting setting) {
        SortedMap<String, Bytes> changed = new TreeMap<>(table.settings());
        changed.remove(setting.attribute);
        YtTable after = table.withSettings(changed);
        new TableSettings(after).check();
        return after;
    }

    /// Checks settings that depend on each other.
    private void check() {
        boolean hashed = value(TableSetting.ENABLE_LOOKUP_HASH_TABLE).equals(TRUE);
        if (hashed && !text(TableSetting.IN_MEMORY_MODE).equals("uncompressed")) {
            throw problem(
                    "\"enable_lookup_hash_table\" can only be true if \"in_memory_mode\" is"
                            + " \"uncompressed\"");
        }
        if (text(TableSetting.COMMIT_ORDERING).equals("strong")) {
            throw problem("Commit ordering \"strong\" is not supported for sorted tables");
        }
    }

    private static final Optional<YsonNode> TRUE = Optional.of(YsonNode.bool(true));

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
