package io.cleave.balance.yt.schedule;

import io.cleave.balance.yt.formula.Formula;
import io.cleave.balance.yt.settings.OptionReader;
import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// The settings of the balancer for all bundles, and the two forms in which clients see them: a
/// document, which is stored as it was set, and the part of `//sys/@config` that is about the
/// balancer, which is a view of the document. What is shown has the defaults of `enable` and
/// `schedule`, too.
///
/// @param enable whether tables are balanced at all
/// @param schedule the formula of bundles and groups that have none of their own; never empty
/// @param period the time between starts of iterations
/// @param maxActionsPerGroup limit of the reshards, and of the moves, of a group in one round
/// @param maxActionsPerReshardType limit of the splits, of the merges, and of the other reshards of
///   a group in one round
/// @param minDesiredTabletSize in bytes; empty for the default, like the two that follow
public record ClusterConfig(
        boolean enable,
        Formula schedule,
        Duration period,
        int maxActionsPerGroup,
        int maxActionsPerReshardType,
        OptionalLong minDesiredTabletSize,
        Optional<Boolean> ignoreTabletToCellRatio,
        Optional<Boolean> pickReshardPivotKeys) {
    public static final ClusterConfig DEFAULT =
            new ClusterConfig(
                    true,
                    Schedule.CLUSTER_DEFAULT,
                    Duration.ofMinutes(2),
                    300,
                    150,
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty());

    private static final String MANAGER = "tablet_manager";
    private static final String BALANCER = "tablet_balancer";

    /// The options of the view, and those of the document.
    private static final Map<String, String> OPTIONS =
            Map.of("enable_tablet_balancer", "enable", "tablet_balancer_schedule", "schedule");

    /// Reads the stored document. Throws if an option is broken, so a client may not set it so.
    public static ClusterConfig read(YsonNode stored) {
        return read(OptionReader.root(stored));
    }

    private static ClusterConfig read(OptionReader options) {
        return new ClusterConfig(
                options.flag("enable", DEFAULT.enable),
                options.formula("schedule", DEFAULT.schedule, Schedule::cluster),
                options.duration("period", DEFAULT.period),
                options.count("max_actions_per_group", 0, DEFAULT.maxActionsPerGroup),
                options.count("max_actions_per_reshard_type", 0, DEFAULT.maxActionsPerReshardType),
                options.size("min_desired_tablet_size"),
                options.flag("ignore_tablet_to_cell_ratio"),
                options.flag("pick_reshard_pivot_keys"));
    }

    /// The document as a client sees it.
    public static YsonNode shown(YsonNode stored) {
        try {
            ClusterConfig config = read(stored);
            var others = members(stored);
            OPTIONS.values().forEach(name -> others.remove(Bytes.utf8(name)));
            return YsonNode.map()
                    .with("enable", config.enable)
                    .with("schedule", config.schedule.text())
                    .withAll(new YsonNode.Members(others))
                    .build();
        } catch (YtException _) {
            // It was stored when nothing was checked yet. The client that sees it can correct it.
            return stored;
        }
    }

    /// The value of `//sys/@config`.
    public static YsonNode view(YsonNode stored) {
        YsonNode document = shown(stored);
        var options = YsonNode.map();
        new TreeMap<>(OPTIONS)
                .forEach(
                        (name, inDocument) ->
                                options.withPresent(name, document.member(inDocument)));
        return YsonNode.map()
                .with(MANAGER, YsonNode.map().with(BALANCER, options.build()).build())
                .build();
    }

    /// The document after a client has set `//sys/@config`. An option that is left out has its
    /// default again. Throws if the client may not set it so.
    public static YsonNode withView(YsonNode stored, YsonNode config) {
        YsonNode.Members manager = part(config, "", MANAGER);
        YsonNode.Members options = part(manager, MANAGER + "/", BALANCER);
        for (Bytes name : options.members().keySet()) {
            if (!OPTIONS.containsKey(name.utf8())) {
                throw unknown(MANAGER + "/" + BALANCER + "/" + name.utf8());
            }
        }
        YsonNode before = shown(stored);
        LinkedHashMap<Bytes, YsonNode> members = members(stored);
        OPTIONS.forEach(
                (name, inDocument) -> {
                    Optional<YsonNode> given = options.member(name);
                    if (given.isEmpty()) {
                        members.remove(Bytes.utf8(inDocument));
                    } else if (!given.equals(before.member(inDocument))) {
                        members.put(Bytes.utf8(inDocument), given.get());
                    }
                });
        var changed = new YsonNode.Members(members);
        try {
            var _ = read(changed);
        } catch (YtException e) {
            // The outer error names a place in the document, which the client has not named.
            throw e.error().innerErrors().stream().findFirst().orElse(e.error()).exception();
        }
        return changed;
    }

    private static LinkedHashMap<Bytes, YsonNode> members(YsonNode stored) {
        return new LinkedHashMap<>(
                stored.bare() instanceof YsonNode.Members all
                        ? all.members()
                        : YsonNode.Members.EMPTY.members());
    }

    /// The only member that the map may have; empty if it is not there.
    private static YsonNode.Members part(YsonNode map, String prefix, String name) {
        if (!(map.bare() instanceof YsonNode.Members(var members))) {
            throw notAMap(prefix.isEmpty() ? "config" : prefix.substring(0, prefix.length() - 1));
        }
        for (Bytes key : members.keySet()) {
            if (!key.utf8().equals(name)) {
                throw unknown(prefix + key.utf8());
            }
        }
        YsonNode part = map.member(name).map(YsonNode::bare).orElse(YsonNode.Members.EMPTY);
        if (part instanceof YsonNode.Members found) {
            return found;
        }
        throw notAMap(prefix + name);
    }

    private static YtException notAMap(String path) {
        return new YtException(YtCodes.GENERIC, "\"%s\" must be a map".formatted(path));
    }

    private static YtException unknown(String path) {
        return new YtException(
                YtCodes.GENERIC,
                ("Option \"%s\" is not known; the options are"
                                + " \"tablet_manager/tablet_balancer/enable_tablet_balancer\" and"
                                + " \"tablet_manager/tablet_balancer/tablet_balancer_schedule\"")
                        .formatted(path));
    }
}
