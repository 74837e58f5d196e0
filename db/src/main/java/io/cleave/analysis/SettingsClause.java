package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Balancer;
import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.value.Ints;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Statement.Setting;
import io.cleave.yql.Statement.SettingValue;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The settings in a WITH or SET list; a setting that is not given is empty.
record SettingsClause(
        Optional<Boolean> bySize,
        Optional<Long> sizeMegabytes,
        Optional<Boolean> byLoad,
        Optional<Long> minCount,
        Optional<Long> maxCount,
        Optional<Long> uniformCount,
        Optional<PartitionKeys> partitionKeys,
        Optional<Boolean> keyBloomFilter,
        Optional<ReadReplicas> readReplicas,
        Optional<Ttl> ttl,
        Optional<Balancer> balancer) {
    record PartitionKeys(Position at, List<List<Expression>> keys) {}

    /// The kind of the statement: some settings are for new tables only.
    enum Place {
        CREATE,
        ALTER
    }

    static SettingsClause read(List<Setting> settings, Place place, AnalysisContext context) {
        var reader = new Reader(place, context);
        settings.forEach(reader::read);
        return reader.settings();
    }

    private static final class Reader {
        private final Place place;
        private final AnalysisContext context;
        private Optional<Boolean> bySize = Optional.empty();
        private Optional<Long> sizeMegabytes = Optional.empty();
        private Optional<Boolean> byLoad = Optional.empty();
        private Optional<Long> minCount = Optional.empty();
        private Optional<Long> maxCount = Optional.empty();
        private Optional<Long> uniformCount = Optional.empty();
        private Optional<PartitionKeys> partitionKeys = Optional.empty();
        private Optional<Boolean> keyBloomFilter = Optional.empty();
        private Optional<ReadReplicas> readReplicas = Optional.empty();
        private Optional<Ttl> ttl = Optional.empty();
        private Optional<Balancer> balancer = Optional.empty();

        Reader(Place place, AnalysisContext context) {
            this.place = place;
            this.context = context;
        }

        SettingsClause settings() {
            return new SettingsClause(
                    bySize,
                    sizeMegabytes,
                    byLoad,
                    minCount,
                    maxCount,
                    uniformCount,
                    partitionKeys,
                    keyBloomFilter,
                    readReplicas,
                    ttl,
                    balancer);
        }

        void read(Setting setting) {
            switch (setting.name().toUpperCase(Locale.ROOT)) {
                case "AUTO_PARTITIONING_BY_SIZE" ->
                        bySize = Optional.of(flag(setting, "auto partitioning by size"));
                case "AUTO_PARTITIONING_PARTITION_SIZE_MB" ->
                        sizeMegabytes =
                                Optional.of(
                                        positive(
                                                setting,
                                                "Can't set preferred partition size to 0. To"
                                                    + " disable auto partitioning by size use 'SET"
                                                    + " AUTO_PARTITIONING_BY_SIZE DISABLED'"));
                case "AUTO_PARTITIONING_BY_LOAD" ->
                        byLoad = Optional.of(flag(setting, "auto partitioning by load"));
                case "AUTO_PARTITIONING_MIN_PARTITIONS_COUNT" ->
                        minCount =
                                Optional.of(
                                        positive(setting, "Can't set min partition count to 0"));
                case "AUTO_PARTITIONING_MAX_PARTITIONS_COUNT" ->
                        maxCount =
                                Optional.of(
                                        positive(setting, "Can't set max partition count to 0"));
                case "UNIFORM_PARTITIONS" -> {
                    onlyCreate(setting);
                    uniformCount = Optional.of(integer(setting));
                }
                case "PARTITION_AT_KEYS" -> {
                    onlyCreate(setting);
                    partitionKeys = Optional.of(keys(setting));
                }
                case "KEY_BLOOM_FILTER" ->
                        keyBloomFilter = Optional.of(flag(setting, "key bloom filter"));
                case "READ_REPLICAS_SETTINGS" ->
                        readReplicas =
                                Optional.of(ReadReplicasText.parse(setting.at(), string(setting)));
                case "TTL" -> {
                    if (!(setting.value() instanceof SettingValue.Ttl value)) {
                        throw AnalysisContext.error(setting.at(), "Invalid TTL settings");
                    }
                    ttl = Optional.of(TtlSetting.read(setting.at(), value, context));
                }
                case "BALANCER" -> balancer = Optional.of(balancer(setting));
                case "STORE" -> store(setting);
                case "COMPACTION_POLICY" -> compactionPolicy(setting);
                case "TIERING",
                        "PARTITION_COUNT",
                        "PARTITION_BY_HASH_FUNCTION",
                        "STORE_EXTERNAL_BLOBS",
                        "EXTERNAL_DATA_CHANNELS_COUNT" ->
                        throw AnalysisContext.unsupported(
                                setting.at(), "Table setting " + setting.name());
                default ->
                        throw AnalysisContext.error(
                                setting.at(), "Unknown table setting: " + setting.name());
            }
        }

        private void onlyCreate(Setting setting) {
            if (place == Place.ALTER) {
                throw AnalysisContext.error(
                        setting.at(),
                        setting.name().toUpperCase(Locale.ROOT) + " alter is not supported");
            }
        }

        private void store(Setting setting) {
            onlyCreate(setting);
            String word = word(setting);
            if (word.equalsIgnoreCase("COLUMN")) {
                throw AnalysisContext.unsupported(setting.at(), "STORE = COLUMN");
            }
            if (!word.equalsIgnoreCase("ROW")) {
                throw AnalysisContext.error(
                        setting.at(), "Unknown store type: " + word + ", expected ROW");
            }
        }

        private static Balancer balancer(Setting setting) {
            String word = word(setting);
            return Balancer.named(word)
                    .orElseThrow(
                            () ->
                                    new StatusException(
                                            Status.BAD_REQUEST,
                                            "Unknown balancer: " + word + ", expected ydb or yt",
                                            setting.at()));
        }

        /// Accepts YDB's policies and ignores them. Cleave has one way to compact, which also suits
        /// the tables for which YDB has other policies.
        private static void compactionPolicy(Setting setting) {
            String policy = string(setting);
            switch (policy) {
                case "", "default", "small_table", "log_table" -> {}
                default ->
                        throw new StatusException(
                                Status.BAD_REQUEST,
                                "Unknown compaction policy: " + policy,
                                setting.at());
            }
        }

        private static boolean flag(Setting setting, String feature) {
            String word = word(setting);
            return switch (word.toUpperCase(Locale.ROOT)) {
                case "ENABLED" -> true;
                case "DISABLED" -> false;
                default ->
                        throw new StatusException(
                                Status.BAD_REQUEST,
                                "Unknown feature flag '" + word + "' for " + feature,
                                setting.at());
            };
        }

        private static String word(Setting setting) {
            if (setting.value() instanceof SettingValue.Word(String word)) {
                return word;
            }
            throw expected(setting, "an identifier");
        }

        private static long positive(Setting setting, String zeroText) {
            long number = integer(setting);
            if (number == 0) {
                throw AnalysisContext.error(setting.at(), zeroText);
            }
            return number;
        }

        private static long integer(Setting setting) {
            if (setting.value() instanceof SettingValue.Constant(Expression.Literal literal)
                    && Ints.isInteger(literal.type())
                    && literal.value() instanceof Value.Int(long number)
                    && number >= 0) {
                return number;
            }
            throw expected(setting, "an integer");
        }

        private static PartitionKeys keys(Setting setting) {
            return switch (setting.value()) {
                case SettingValue.Keys(List<List<Expression>> keys) ->
                        new PartitionKeys(setting.at(), keys);
                default ->
                        throw AnalysisContext.error(
                                setting.at(),
                                "PARTITION_AT_KEYS value should be a list of keys. Example1: (10,"
                                        + " 1000)  Example2: ((10), (1000, \"abc\"))");
            };
        }
    }

    /// The text of a string setting.
    static String string(Setting setting) {
        if (setting.value() instanceof SettingValue.Constant(Expression.Literal literal)) {
            if (literal.value() instanceof Value.Binary(Bytes bytes)) {
                return bytes.utf8();
            }
            if (literal.value() instanceof Value.Text(String text)) {
                return text;
            }
        }
        throw expected(setting, "a string literal");
    }

    private static StatusException expected(Setting setting, String what) {
        return AnalysisContext.error(
                setting.at(), setting.name().toUpperCase(Locale.ROOT) + " value should be " + what);
    }
}
