package io.cleave.balance.yt;

import io.cleave.balance.BundleState;
import io.cleave.balance.yt.StoredConfigs.Result;
import io.cleave.balance.yt.StoredConfigs.TableRead;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.balance.yt.schedule.Schedule;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupChoice;
import io.cleave.base.Bytes;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Reads the stored settings for the rounds of the balancer: what is set for the cluster, and the
/// groups that have tables. Records of settings are kept from one call to the next.
///
/// Threads: one at a time.
public final class RoundGroups {
    private final StoredConfigs configs = new StoredConfigs();

    /// A group of a bundle with its tables.
    public record Group(String bundle, String name, Schedule schedule, List<Table> tables) {
        public Group {
            tables = List.copyOf(tables);
        }
    }

    /// Settings that cannot be read. What they are of is not balanced.
    public record Problem(String bundle, String text) {}

    /// What was read.
    ///
    /// @param bundles those whose settings can be read, also without groups
    public record Found(List<Group> groups, Set<String> bundles, List<Problem> problems) {
        public Found {
            groups = List.copyOf(groups);
            bundles = Set.copyOf(bundles);
            problems = List.copyOf(problems);
        }
    }

    /// The settings of the cluster, or why they cannot be read.
    public sealed interface Cluster {
        record Read(ClusterConfig config) implements Cluster {}

        record Broken(String why) implements Cluster {}
    }

    public Cluster cluster(Bytes stored) {
        return switch (configs.cluster(stored)) {
            case Result.Broken<ClusterConfig>(String why) -> new Cluster.Broken(why);
            case Result.Read<ClusterConfig>(ClusterConfig config) -> new Cluster.Read(config);
        };
    }

    /// The groups to which tables belong.
    ///
    /// @param bundles those that have cells
    /// @param tables of YTsaurus' balancer, by bundle
    public Found find(
            ClusterConfig cluster, List<BundleState> bundles, Map<String, List<Table>> tables) {
        Set<String> names = new HashSet<>();
        bundles.forEach(bundle -> names.add(bundle.name()));
        Set<Long> ids = new HashSet<>();
        tables.values().forEach(all -> all.forEach(table -> ids.add(table.id())));
        configs.retain(names, ids);
        List<Group> groups = new ArrayList<>();
        Set<String> readable = new HashSet<>();
        List<Problem> problems = new ArrayList<>();
        for (BundleState bundle : bundles) {
            List<Table> ofBundle = tables.getOrDefault(bundle.name(), List.of());
            switch (configs.bundle(bundle)) {
                case Result.Broken<BundleSettings>(String why) ->
                        problems.add(new Problem(bundle.name(), why));
                case Result.Read<BundleSettings>(BundleSettings settings) -> {
                    readable.add(bundle.name());
                    byGroup(bundle.name(), settings, ofBundle, problems)
                            .forEach(
                                    (name, members) ->
                                            groups.add(
                                                    new Group(
                                                            bundle.name(),
                                                            name,
                                                            Schedule.of(
                                                                    name,
                                                                    settings,
                                                                    cluster.schedule()),
                                                            members)));
                }
            }
        }
        return new Found(groups, readable, problems);
    }

    /// The tables of a bundle by the name of their group. A group that the bundle does not have is
    /// not balanced.
    private Map<String, List<Table>> byGroup(
            String bundle, BundleSettings settings, List<Table> tables, List<Problem> problems) {
        Map<String, List<Table>> byGroup = new TreeMap<>();
        for (Table table : tables) {
            switch (configs.table(table)) {
                case Result.Broken<TableRead>(String why) ->
                        problems.add(new Problem(bundle, table.path() + ": " + why));
                case Result.Read<TableRead>(TableRead read) -> {
                    boolean isInMemory = read.inMemoryMode() != InMemoryMode.NONE;
                    if (GroupChoice.of(read.settings(), settings, isInMemory)
                            instanceof GroupChoice.Chosen(String name, _)) {
                        byGroup.computeIfAbsent(name, _ -> new ArrayList<>()).add(table);
                    }
                }
            }
        }
        return byGroup;
    }
}
