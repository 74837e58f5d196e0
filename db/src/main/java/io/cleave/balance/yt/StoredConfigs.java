package io.cleave.balance.yt;

import io.cleave.balance.BundleState;
import io.cleave.balance.ClusterState;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.balance.yt.settings.BundleConfig;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.TableConfig;
import io.cleave.balance.yt.settings.TableSettings;
import io.cleave.base.Bytes;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;

/// The settings of the cluster, of bundles and of tables, read from what is stored. A record is
/// kept while the stored bytes are the same.
final class StoredConfigs {
    private static final String CONFIG = "tablet_balancer_config";
    private static final String IN_MEMORY_MODE = "in_memory_mode";

    private Kept<Bytes, ClusterConfig> cluster = new Kept<>(Bytes.EMPTY, ClusterConfig.DEFAULT, "");
    private final Map<String, Kept<Bytes, BundleSettings>> bundles = new HashMap<>();

    /// By table id.
    private final Map<Long, Kept<TableSource, TableRead>> tables = new HashMap<>();

    /// What was read from these bytes; null if they have no settings.
    ///
    /// @param problem why they have none, in words; empty if they have
    private record Kept<S, T>(S source, @Nullable T settings, String problem) {}

    private record TableSource(@Nullable Bytes config, @Nullable Bytes inMemoryMode) {}

    /// What is stored of a table.
    record TableRead(TableSettings settings, InMemoryMode inMemoryMode) {}

    /// Settings, or why they cannot be read.
    sealed interface Result<T> {
        record Read<T>(T settings) implements Result<T> {}

        record Broken<T>(String why) implements Result<T> {}
    }

    /// Drops what was read of bundles and tables that are gone.
    void retain(ClusterState state) {
        Set<String> names = new HashSet<>();
        state.bundles().forEach(bundle -> names.add(bundle.name()));
        Set<Long> ids = new HashSet<>();
        for (TableState table : state.tables()) {
            ids.add(table.table().id());
        }
        retain(names, ids);
    }

    /// Drops what was read of all other bundles and tables.
    void retain(Set<String> bundleNames, Set<Long> tableIds) {
        bundles.keySet().retainAll(bundleNames);
        tables.keySet().retainAll(tableIds);
    }

    Result<ClusterConfig> cluster(Bytes config) {
        if (!cluster.source().equals(config)) {
            cluster = read(config, StoredConfigs::readCluster);
        }
        return result(cluster);
    }

    static ClusterConfig readCluster(Bytes config) {
        return config.isEmpty()
                ? ClusterConfig.DEFAULT
                : ClusterConfig.read(YsonNode.parse(config).orElse(YsonNode.Members.EMPTY));
    }

    Result<BundleSettings> bundle(BundleState bundle) {
        return result(
                bundles.compute(
                        bundle.name(),
                        (_, known) ->
                                known != null && known.source().equals(bundle.attributes())
                                        ? known
                                        : read(bundle.attributes(), StoredConfigs::readBundle)));
    }

    static BundleSettings readBundle(Bytes attributes) {
        YsonNode config = YsonNode.Members.EMPTY;
        if (!attributes.isEmpty()) {
            config = parsed(attributes).member(CONFIG).orElse(config);
        }
        return BundleConfig.read(config);
    }

    Result<TableRead> table(Table table) {
        @Nullable SortedMap<String, Bytes> settings =
                table.options().yt().map(yt -> yt.settings()).orElse(null);
        var source =
                settings == null
                        ? new TableSource(null, null)
                        : new TableSource(settings.get(CONFIG), settings.get(IN_MEMORY_MODE));
        return result(
                tables.compute(
                        table.id(),
                        (_, known) ->
                                known != null && known.source().equals(source)
                                        ? known
                                        : read(source, StoredConfigs::readTable)));
    }

    private static TableRead readTable(TableSource source) {
        Bytes config = source.config();
        return new TableRead(
                TableConfig.read(config == null ? YsonNode.Members.EMPTY : parsed(config)),
                inMemoryMode(source.inMemoryMode()));
    }

    /// A mode that is not known keeps nothing in memory.
    private static InMemoryMode inMemoryMode(@Nullable Bytes stored) {
        String name = stored == null ? "" : parsed(stored).string().orElse("");
        return Arrays.stream(InMemoryMode.values())
                .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElse(InMemoryMode.NONE);
    }

    /// An entity, which no settings are, if the bytes are not YSON.
    private static YsonNode parsed(Bytes stored) {
        return YsonNode.parse(stored).orElse(YsonNode.entity());
    }

    private static <S, T> Kept<S, T> read(S source, Function<S, T> reader) {
        try {
            return new Kept<>(source, reader.apply(source), "");
        } catch (YtException e) {
            return new Kept<>(source, null, e.error().text());
        }
    }

    private static <S, T> Result<T> result(Kept<S, T> kept) {
        T settings = kept.settings();
        return settings == null ? new Result.Broken<>(kept.problem()) : new Result.Read<>(settings);
    }
}
