package io.cleave.yt.tree;

import io.cleave.access.Caller;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.Optional;

/// What the stored entries of nodes deny. Everything is allowed that no entry denies.
///
/// @param objects knows the groups of users
record TreePermissions(SystemObjects objects) {
    /// The entry that denies the user the permission.
    Optional<YsonNode> denial(
            NodeAttributes attributes, TreeNode node, String user, String permission) {
        List<String> groups = objects.groupsOf(user);
        if (groups.contains("superusers")) {
            return Optional.empty();
        }
        return attributes.effectiveAcl(node).stream()
                .filter(entry -> denies(entry, user, groups, permission))
                .findFirst();
    }

    private static boolean denies(
            YsonNode entry, String user, List<String> groups, String permission) {
        return entry.member("action").flatMap(YsonNode::string).filter("deny"::equals).isPresent()
                && entry.member("permissions").map(BuiltinChange::texts).stream()
                        .anyMatch(names -> names.contains(permission))
                && entry.member("subjects").map(BuiltinChange::texts).stream()
                        .flatMap(List::stream)
                        .anyMatch(each -> each.equals(user) || groups.contains(each));
    }

    /// Throws if an entry of the bundle denies the caller its use. There must be such a bundle.
    void checkUse(NodeAttributes attributes, TreeReader reader, Caller caller, String bundle) {
        TreeNode node =
                reader.at(CellObjects.bundlePath(reader.database(), bundle))
                        .orElseThrow(() -> TreeErrors.noSuchBundle(bundle));
        if (!caller.user().isEmpty()
                && denial(attributes, node, caller.user(), "use").isPresent()) {
            throw new YtException(
                    YtCodes.AUTHORIZATION_ERROR,
                    ("Access denied for user \"%s\": \"use\" permission for tablet cell bundle"
                                    + " \"%s\" is denied by an entry of its \"acl\"")
                            .formatted(caller.user(), bundle));
        }
    }
}
