package io.cleave.balance.yt.settings;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Attributes of a table that were there before `tablet_balancer_config`. They are views of its
/// options. `enable_tablet_balancer` is shown only while `enable_auto_reshard` is false, and is
/// then false; `disable_tablet_balancer` is its opposite.
public final class OldAttributes {
    private static final String ENABLE = "enable_tablet_balancer";
    private static final String DISABLE = "disable_tablet_balancer";
    private static final String SWITCH = "enable_auto_reshard";

    public static final List<String> NAMES =
            List.of(
                    ENABLE,
                    DISABLE,
                    "min_tablet_size",
                    "desired_tablet_size",
                    "max_tablet_size",
                    "desired_tablet_count");

    private OldAttributes() {}

    /// The value of an attribute; empty if the table does not have it.
    public static Optional<YsonNode> value(String name, YsonNode config) {
        YsonNode shown = TableConfig.shown(config);
        boolean isOff = shown.member(SWITCH).filter(YsonNode.bool(false)::equals).isPresent();
        return switch (name) {
            case ENABLE -> isOff ? Optional.of(YsonNode.bool(false)) : Optional.empty();
            case DISABLE -> isOff ? Optional.of(YsonNode.bool(true)) : Optional.empty();
            default -> shown.member(name);
        };
    }

    /// The config after the attribute was set, or removed if there is no value. Throws if clients
    /// may not set this value.
    public static YsonNode with(String name, Optional<YsonNode> value, YsonNode config) {
        YsonNode changed = changed(name, value, config);
        try {
            TableConfig.check(changed);
        } catch (YtException e) {
            // The outer error names a place in the config, which the client has not named.
            throw e.error().innerErrors().stream().findFirst().orElse(e.error()).exception();
        }
        return changed;
    }

    private static YsonNode changed(String name, Optional<YsonNode> value, YsonNode config) {
        return switch (name) {
            case ENABLE -> switched(name, value, false, config);
            case DISABLE -> switched(name, value, true, config);
            default -> put(name, value, config);
        };
    }

    /// @param off the only value that the attribute can be set to
    private static YsonNode switched(
            String name, Optional<YsonNode> value, boolean off, YsonNode config) {
        if (value.isPresent() && !value.get().bare().equals(YsonNode.bool(off))) {
            throw new YtException(
                    YtCodes.GENERIC,
                    ("Attribute \"%s\" can only be set to %s; to switch resharding on, remove the"
                                    + " attribute")
                            .formatted(name, YsonNode.bool(off).print()));
        }
        return put(SWITCH, Optional.of(YsonNode.bool(value.isEmpty())), config);
    }

    private static YsonNode put(String name, Optional<YsonNode> value, YsonNode config) {
        var members =
                config.bare() instanceof YsonNode.Members(var given)
                        ? new LinkedHashMap<>(given)
                        : new LinkedHashMap<Bytes, YsonNode>();
        value.ifPresentOrElse(
                node -> members.put(Bytes.utf8(name), node.bare()),
                () -> members.remove(Bytes.utf8(name)));
        return new YsonNode.Members(members);
    }
}
