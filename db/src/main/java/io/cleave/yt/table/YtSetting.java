package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// An attribute of a table that users may set. It is stored with the table. Some attributes have no
/// effect: they are stored and shown so that clients find what they have set.
enum YtSetting {
    MIN_DATA_VERSIONS("min_data_versions", Kind.COUNT, YsonNode.of(1)),
    MAX_DATA_VERSIONS("max_data_versions", Kind.COUNT, YsonNode.of(1)),
    MIN_DATA_TTL("min_data_ttl", Kind.COUNT, YsonNode.of(YtSettings.DEFAULT_DATA_TTL)),
    MAX_DATA_TTL("max_data_ttl", Kind.COUNT, YsonNode.of(YtSettings.DEFAULT_DATA_TTL)),
    IN_MEMORY_MODE("in_memory_mode", "EInMemoryMode", YtSettings.IN_MEMORY_MODES),
    OPTIMIZE_FOR("optimize_for", "EOptimizeFor", List.of("lookup", "scan")),
    ATOMICITY("atomicity", "EAtomicity", List.of("full", "none")),
    COMMIT_ORDERING("commit_ordering", "ECommitOrdering", List.of("weak", "strong")),
    COMPRESSION_CODEC("compression_codec", Kind.TEXT, YsonNode.text("lz4")),
    ERASURE_CODEC("erasure_codec", Kind.TEXT, YsonNode.text("none")),
    HUNK_ERASURE_CODEC("hunk_erasure_codec", Kind.TEXT, YsonNode.text("none")),
    PRIMARY_MEDIUM("primary_medium", Kind.TEXT, YsonNode.text("default")),
    REPLICATION_FACTOR("replication_factor", Kind.COUNT, YsonNode.of(1)),
    TABLET_BALANCER_CONFIG("tablet_balancer_config", Kind.MAP, YsonNode.Members.EMPTY),
    MOUNT_CONFIG("mount_config", Kind.MAP, YsonNode.Members.EMPTY),
    ENABLE_DYNAMIC_STORE_READ("enable_dynamic_store_read", Kind.FLAG, YsonNode.bool(true)),
    ENABLE_LOOKUP_HASH_TABLE("enable_lookup_hash_table", Kind.FLAG, YsonNode.bool(false)),
    LOOKUP_CACHE_ROWS_RATIO("lookup_cache_rows_ratio", Kind.RATIO, YsonNode.real(0)),
    ENABLE_COMPACTION_AND_PARTITIONING(
            "enable_compaction_and_partitioning", Kind.FLAG, YsonNode.bool(true)),
    ENABLE_DETAILED_PROFILING("enable_detailed_profiling", Kind.FLAG, YsonNode.bool(false)),
    PROFILING_MODE("profiling_mode", Kind.TEXT, null),
    PROFILING_TAG("profiling_tag", Kind.TEXT, null),
    AUTO_COMPACTION_PERIOD("auto_compaction_period", Kind.COUNT, null),
    FORCED_COMPACTION_REVISION("forced_compaction_revision", Kind.COUNT, null),
    FORCED_STORE_COMPACTION_REVISION("forced_store_compaction_revision", Kind.COUNT, null),
    FORCED_CHUNK_VIEW_COMPACTION_REVISION(
            "forced_chunk_view_compaction_revision", Kind.COUNT, null);

    private enum Kind {
        COUNT,
        RATIO,
        TEXT,
        FLAG,
        MAP,
        CHOICE
    }

    final String attribute;
    private final Kind kind;
    private final String typeName;

    // Neither is changed after the construction.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> choices;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Optional<YsonNode> byDefault;

    YtSetting(String attribute, Kind kind, @Nullable YsonNode byDefault) {
        this.attribute = attribute;
        this.kind = kind;
        typeName = "";
        choices = List.of();
        this.byDefault = Optional.ofNullable(byDefault);
    }

    /// A setting with a few values, of which the first is the default.
    YtSetting(String attribute, String typeName, List<String> choices) {
        this.attribute = attribute;
        kind = Kind.CHOICE;
        this.typeName = typeName;
        this.choices = choices;
        byDefault = Optional.of(YsonNode.text(choices.getFirst()));
    }

    static Optional<YtSetting> named(String attribute) {
        for (YtSetting setting : values()) {
            if (setting.attribute.equals(attribute)) {
                return Optional.of(setting);
            }
        }
        return Optional.empty();
    }

    /// The default value of the setting; empty if there is none.
    Optional<YsonNode> byDefault() {
        return byDefault;
    }

    /// The value in the form in which it is stored. Throws if the setting does not allow the value.
    YsonNode checked(YsonNode given) {
        YsonNode value = given.bare();
        return switch (kind) {
            case COUNT -> YsonNode.of(count(value));
            case RATIO -> YsonNode.real(ratio(value));
            case TEXT -> {
                if (!(value instanceof YsonNode.Text)) {
                    throw mismatch("string", value);
                }
                yield value;
            }
            case FLAG -> YsonNode.bool(flag(value));
            case MAP -> {
                if (!(value instanceof YsonNode.Members)) {
                    throw mismatch("map", value);
                }
                yield value;
            }
            case CHOICE -> choice(value);
        };
    }

    private long count(YsonNode value) {
        long number =
                switch (value) {
                    case YsonNode.Int64(long signed) -> signed;
                    case YsonNode.Uint64(long unsigned) -> unsigned;
                    default -> throw mismatch("int64", value);
                };
        if (number < 0) {
            throw problem("Attribute \"%s\" cannot be negative".formatted(attribute));
        }
        return number;
    }

    private double ratio(YsonNode value) {
        double number =
                switch (value) {
                    case YsonNode.Real(double real) -> real;
                    case YsonNode.Int64(long whole) -> whole;
                    case YsonNode.Uint64(long whole) -> whole;
                    default -> throw mismatch("double", value);
                };
        if (!(number >= 0)) {
            throw problem("Attribute \"%s\" cannot be negative".formatted(attribute));
        }
        return number;
    }

    private boolean flag(YsonNode value) {
        return switch (value) {
            case YsonNode.Bool(boolean flag) -> flag;
            case YsonNode.Text(Bytes text) when text.utf8().equals("true") -> true;
            case YsonNode.Text(Bytes text) when text.utf8().equals("false") -> false;
            default -> throw mismatch("boolean", value);
        };
    }

    private YsonNode choice(YsonNode value) {
        String text = value.string().orElseThrow(() -> mismatch("string", value));
        if (!choices.contains(text)) {
            throw problem("Error parsing %s value \"%s\"".formatted(typeName, text));
        }
        return value;
    }

    private YtException mismatch(String expected, YsonNode value) {
        return problem(
                "Cannot parse attribute \"%s\": expected \"%s\", got \"%s\""
                        .formatted(attribute, expected, CommandParameters.typeName(value)));
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
