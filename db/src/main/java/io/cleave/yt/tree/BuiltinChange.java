package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A change of a builtin attribute that can be set.
record BuiltinChange(AttributeEditor attributes, TreeNode node, String name) {
    private static final Set<String> ACTIONS = Set.of("allow", "deny");

    private static final Set<String> PERMISSIONS =
            Set.of(
                    "read",
                    "write",
                    "use",
                    "administer",
                    "create",
                    "remove",
                    "mount",
                    "manage",
                    "modify_children",
                    "full_read",
                    "register_queue_consumer",
                    "register_queue_consumer_vital");

    void set(YsonNode value) {
        try {
            change(value);
        } catch (YtException e) {
            throw refused(name, e);
        }
    }

    static YtException refused(String name, YtException why) {
        return YtError.of(
                        YtCodes.GENERIC,
                        "Error setting builtin attribute \"%s\"".formatted(YPath.literal(name)))
                .with(why.error())
                .exception();
    }

    void remove() {
        if (attributes.isSetting(node, name)) {
            attributes.putSetting(node, name, Optional.empty());
        } else {
            attributes.put(node, name, Optional.empty());
        }
    }

    private void change(YsonNode value) {
        if (attributes.isSetting(node, name)) {
            attributes.putSetting(node, name, Optional.of(value));
            return;
        }
        switch (name) {
            case "value" -> {
                if (ConfigChange.isOf(node)) {
                    new ConfigChange(attributes.editor()).set(node, List.of(), value, false);
                } else {
                    new ValueChange(attributes.editor()).replace(node, value, true);
                }
            }
            case NodeAttributes.CONFIG -> {
                if (attributes.editor().attributes().isSys(node)) {
                    new ConfigChange(attributes.editor()).setView(value);
                } else {
                    store(value);
                }
            }
            case "owner" -> attributes.putOwner(node, text(value));
            case "account" -> {
                String account = text(value);
                if (!SystemObjects.ACCOUNTS.contains(account)) {
                    throw new YtException(
                            YtCodes.RESOLVE_ERROR, "No such account \"%s\"".formatted(account));
                }
                store(value);
            }
            case "opaque", "inherit_acl" -> {
                if (!(value.bare() instanceof YsonNode.Bool)) {
                    throw mismatch("boolean", value);
                }
                store(value);
            }
            case "acl" -> {
                checkAcl(value);
                store(value);
            }
            default -> {
                if (node.object().isPresent() && BundleAttributes.NAMES.contains(name)) {
                    BundleAttributes.check(name, value);
                }
                store(value);
            }
        }
    }

    private void store(YsonNode value) {
        attributes.put(node, name, Optional.of(value));
    }

    private static void checkAcl(YsonNode acl) {
        if (!(acl.bare() instanceof YsonNode.Items(List<YsonNode> entries))) {
            throw mismatch("list", acl);
        }
        for (YsonNode entry : entries) {
            if (!(entry.bare() instanceof YsonNode.Members)) {
                throw mismatch("map", entry);
            }
            String action = text(required(entry, "action"));
            if (!ACTIONS.contains(action)) {
                throw TreeErrors.generic(
                        "Error parsing ESecurityAction value \"%s\"".formatted(action));
            }
            var _ = texts(required(entry, "subjects"));
            for (String permission : texts(required(entry, "permissions"))) {
                checkPermission(permission);
            }
        }
    }

    static void checkPermission(String name) {
        if (!PERMISSIONS.contains(name)) {
            throw TreeErrors.generic("Error parsing EPermission value \"%s\"".formatted(name));
        }
    }

    private static YsonNode required(YsonNode entry, String member) {
        return entry.member(member)
                .orElseThrow(
                        () -> TreeErrors.generic("ACE has no member \"%s\"".formatted(member)));
    }

    /// A string, or a list of strings.
    static List<String> texts(YsonNode value) {
        return value.bare() instanceof YsonNode.Items(List<YsonNode> items)
                ? items.stream().map(BuiltinChange::text).toList()
                : List.of(text(value));
    }

    private static String text(YsonNode value) {
        if (value.bare() instanceof YsonNode.Text(Bytes text)) {
            return text.utf8();
        }
        throw mismatch("string", value);
    }

    private static YtException mismatch(String expected, YsonNode value) {
        return TreeErrors.generic(
                "Cannot parse \"%s\" value from \"%s\""
                        .formatted(expected, CommandParameters.typeName(value)));
    }
}
