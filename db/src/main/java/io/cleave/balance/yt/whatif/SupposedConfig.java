package io.cleave.balance.yt.whatif;

import io.cleave.balance.yt.settings.BundleConfig;
import io.cleave.balance.yt.settings.TableConfig;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Puts supposed settings into configs. A setting that a client could not set is refused in the
/// words that the client would see.
final class SupposedConfig {
    private SupposedConfig() {}

    /// The config of a bundle with these settings.
    static YsonNode ofBundle(String bundle, YsonNode stored, List<SupposedSetting> settings) {
        for (SupposedSetting setting : settings) {
            checkName("bundle '%s'".formatted(bundle), setting, BundleConfig::names);
        }
        return with(
                stored,
                settings,
                config -> {
                    BundleConfig.check(config);
                    var _ = BundleConfig.read(config);
                });
    }

    /// The config of a table with these settings.
    static YsonNode ofTable(String table, YsonNode stored, List<SupposedSetting> settings) {
        for (SupposedSetting setting : settings) {
            checkName(
                    "table '%s'".formatted(table),
                    setting,
                    path -> path.isEmpty() ? TableConfig.names() : Set.of());
        }
        return with(
                stored,
                settings,
                config -> {
                    TableConfig.check(config);
                    var _ = TableConfig.read(config);
                });
    }

    interface ConfigCheck {
        /// Throws a [YtException] if a client may not set the config, or the balancer could not
        /// read it.
        void check(YsonNode config);
    }

    private static YsonNode with(
            YsonNode stored, List<SupposedSetting> settings, ConfigCheck check) {
        YsonNode config = stored;
        for (SupposedSetting setting : settings) {
            config = with(config, setting.path(), setting.value());
        }
        if (!settings.isEmpty()) {
            try {
                check.check(config);
            } catch (YtException e) {
                throw refused(
                        "'%s': %s"
                                .formatted(
                                        String.join(
                                                "', '",
                                                settings.stream()
                                                        .map(SupposedSetting::text)
                                                        .toList()),
                                        e.error().text()));
            }
        }
        return config;
    }

    private static YsonNode with(YsonNode map, List<String> path, Optional<YsonNode> value) {
        Map<Bytes, YsonNode> members =
                map.bare() instanceof YsonNode.Members(var given) ? given : Map.of();
        var changed = new LinkedHashMap<>(members);
        Bytes name = Bytes.utf8(path.getFirst());
        if (path.size() > 1) {
            YsonNode inner = members.getOrDefault(name, YsonNode.Members.EMPTY);
            changed.put(name, with(inner, path.subList(1, path.size()), value));
        } else if (value.isPresent()) {
            changed.put(name, value.get());
        } else {
            changed.remove(name);
        }
        return new YsonNode.Members(changed);
    }

    private static void checkName(
            String owner, SupposedSetting setting, Function<List<String>, Set<String>> names) {
        List<String> path = setting.path();
        Set<String> known = names.apply(path.subList(0, path.size() - 1));
        boolean isGroup = path.size() == 2 && path.getFirst().equals("groups");
        if (!known.contains(path.getLast()) && !isGroup) {
            throw refused(
                    "there is no option '%s' of %s; there are: %s"
                            .formatted(
                                    setting.key(),
                                    owner,
                                    String.join(
                                            ", ",
                                            new TreeSet<>(
                                                    known.isEmpty()
                                                            ? names.apply(List.of())
                                                            : known))));
        }
    }

    static Bytes binary(YsonNode node) {
        return YsonWriter.write(node, YsonWriter.Format.BINARY);
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why);
    }
}
