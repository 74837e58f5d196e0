package io.cleave.yt.tree;

import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.base.Bytes;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.tree.BalancerConfig;
import io.cleave.tree.CypressChange;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The attributes of nodes. Builtin attributes are computed or have a meaning for the server. All
/// others are set by users.
///
/// Threads: the same as its reader, which is a snapshot.
final class NodeAttributes {
    /// Builtin attributes that are stored together with the user's attributes. Clients can set
    /// them.
    private static final Set<String> STORED =
            Set.of("acl", "inherit_acl", "account", "opaque", "annotation");

    /// Attributes of a directory that a table inherits when it is created below the directory.
    static final Set<String> INHERITED =
            Set.of(
                    "tablet_cell_bundle",
                    "compression_codec",
                    "erasure_codec",
                    "optimize_for",
                    "in_memory_mode",
                    "primary_medium",
                    "media",
                    "account",
                    "profiling_mode");

    private static final String USERS_ACCOUNT = "default";

    /// The attribute of `//sys` that shows the settings of the whole cluster.
    static final String CONFIG = "config";

    private final TreeReader reader;
    private final TableNodes tables;
    private final TransactionView transaction;

    /// The locks of nodes, as the call's transaction sees them. Some attributes show them.
    interface TransactionView {
        List<LockObject> of(ObjectId nodeId);

        /// The mode in which the transaction of the call has locked the node.
        LockMode mode(ObjectId nodeId);
    }

    NodeAttributes(TreeReader reader, TableNodes tables, TransactionView transaction) {
        this.reader = reader;
        this.tables = tables;
        this.transaction = transaction;
    }

    /// A builtin attribute.
    ///
    /// @param isOpaque whether a list of all attributes shows it as `#`
    record Builtin(String name, boolean isOpaque, boolean isWritable, boolean isRemovable) {}

    /// The attributes that a client asks for. If `names` is empty, the method decides whether it
    /// returns no attributes or all of them.
    record Filter(Optional<List<String>> names) {
        static final Filter NONE = new Filter(Optional.empty());
    }

    List<Builtin> builtins(TreeNode node) {
        List<Builtin> all = new ArrayList<>();
        for (String name :
                List.of(
                        "id",
                        "type",
                        "builtin",
                        "ref_counter",
                        "weak_ref_counter",
                        "foreign",
                        "native_cell_tag")) {
            all.add(readOnly(name));
        }
        all.add(new Builtin("inherit_acl", false, true, false));
        all.add(new Builtin("acl", false, true, false));
        all.add(new Builtin("owner", false, true, false));
        all.add(new Builtin("effective_acl", true, false, false));
        all.add(readOnly("revision"));
        all.add(readOnly("attribute_revision"));
        all.add(readOnly("content_revision"));
        all.add(new Builtin("user_attribute_keys", true, false, false));
        all.add(new Builtin("user_attributes", true, false, false));
        if (node.object().isPresent()) {
            for (String name : node.object().get().attributes().keySet()) {
                all.removeIf(other -> other.name().equals(name));
                boolean isWritable = BundleAttributes.NAMES.contains(name);
                boolean isOpaque = node.object().get().opaque().contains(name);
                all.add(new Builtin(name, isOpaque, isWritable, isWritable));
            }
            if (ConfigChange.isOf(node)) {
                all.add(new Builtin("value", true, true, false));
            }
            return all;
        }
        if (!node.path().equals(reader.database())) {
            all.add(readOnly("parent_id"));
            all.add(readOnly("key"));
        }
        all.add(readOnly("external"));
        all.add(new Builtin("locks", true, false, false));
        all.add(readOnly("lock_count"));
        all.add(readOnly("lock_mode"));
        all.add(new Builtin("path", true, false, false));
        for (String name :
                List.of(
                        "creation_time",
                        "modification_time",
                        "access_time",
                        "access_counter",
                        "resource_usage",
                        "account_id",
                        "reachable",
                        "resolve_cached")) {
            all.add(readOnly(name));
        }
        all.add(new Builtin("recursive_resource_usage", true, false, false));
        all.add(new Builtin("account", false, true, false));
        all.add(new Builtin("opaque", false, true, true));
        all.add(new Builtin("annotation", true, true, true));
        if (node.isMap()) {
            all.add(readOnly("count"));
        }
        if (node.path().equals(reader.database() + "/sys")) {
            all.add(readOnly("cell_tag"));
            all.add(readOnly("cluster_name"));
            all.add(new Builtin(CONFIG, true, true, false));
        }
        switch (node.type()) {
            case DOCUMENT, STRING_NODE, INT64_NODE, UINT64_NODE, DOUBLE_NODE, BOOLEAN_NODE ->
                    all.add(new Builtin("value", true, true, false));
            case LINK -> {
                all.add(readOnly("target_path"));
                all.add(readOnly("broken"));
            }
            case TABLE -> {
                for (TableNodes.Attribute attribute :
                        tables.attributes(node.table().orElseThrow())) {
                    all.removeIf(other -> other.name().equals(attribute.name()));
                    all.add(
                            new Builtin(
                                    attribute.name(),
                                    attribute.isOpaque(),
                                    attribute.isWritable(),
                                    attribute.isRemovable()));
                }
            }
            default -> {}
        }
        return all;
    }

    private static Builtin readOnly(String name) {
        return new Builtin(name, false, false, false);
    }

    Optional<Builtin> builtin(TreeNode node, String name) {
        return builtins(node).stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /// The attributes that users have set.
    YsonNode.Members custom(TreeNode node) {
        if (node.row().filter(row -> !row.attributes().isEmpty()).isEmpty()) {
            return YsonNode.Members.EMPTY;
        }
        var members = new LinkedHashMap<>(stored(node).members());
        STORED.forEach(name -> members.remove(Bytes.utf8(name)));
        if (node.object().isPresent()) {
            BundleAttributes.NAMES.forEach(name -> members.remove(Bytes.utf8(name)));
        }
        if (isSys(node)) {
            members.remove(Bytes.utf8(CONFIG));
        }
        return new YsonNode.Members(members);
    }

    /// The attributes of a node as a map: all of them, or only the requested ones.
    YsonNode.Members all(TreeNode node, Filter filter) {
        if (filter.names().isPresent()) {
            return some(node, filter);
        }
        var all = YsonNode.map();
        YsonNode.Members custom = custom(node);
        for (Builtin each : builtins(node)) {
            if (custom.members().containsKey(Bytes.utf8(each.name()))) {
                continue;
            }
            if (each.isOpaque()) {
                all.with(each.name(), YsonNode.entity());
            } else {
                all.withPresent(each.name(), builtinValue(node, each.name()));
            }
        }
        return all.withAll(custom).build();
    }

    /// The requested attributes that exist.
    YsonNode.Members some(TreeNode node, Filter filter) {
        if (filter.names().isEmpty()) {
            return YsonNode.Members.EMPTY;
        }
        var some = YsonNode.map();
        for (String name : new LinkedHashSet<>(filter.names().get())) {
            some.withPresent(name, find(node, name));
        }
        return some.build();
    }

    List<String> names(TreeNode node) {
        Set<String> names = new LinkedHashSet<>();
        custom(node).members().keySet().forEach(name -> names.add(name.utf8()));
        for (Builtin each : builtins(node)) {
            if (each.isOpaque() || builtinValue(node, each.name()).isPresent()) {
                names.add(each.name());
            }
        }
        return List.copyOf(names);
    }

    Optional<YsonNode> find(TreeNode node, String name) {
        boolean isBuiltin =
                STORED.contains(name)
                        || isStoredOfObject(node, name)
                        || (name.equals(CONFIG) && isSys(node));
        Optional<YsonNode> custom = isBuiltin ? Optional.empty() : stored(node).member(name);
        return custom.isPresent() ? custom : builtinValue(node, name);
    }

    private static boolean isStoredOfObject(TreeNode node, String name) {
        return node.object().isPresent() && BundleAttributes.NAMES.contains(name);
    }

    private static YsonNode.Members stored(TreeNode node) {
        return node.row().map(CypressChange::attributes).orElse(YsonNode.Members.EMPTY);
    }

    private Optional<YsonNode> builtinValue(TreeNode node, String name) {
        if (isStoredOfObject(node, name) && stored(node).member(name).isPresent()) {
            return stored(node)
                    .member(name)
                    .map(value -> reader.system().cells().shown(name, value));
        }
        if (node.object().isPresent()) {
            var computed = node.object().get().attributes().get(name);
            if (computed != null) {
                return Optional.of(computed.get());
            }
        }
        Optional<YsonNode> common = commonValue(node, name);
        if (node.table().isPresent()) {
            Table table = node.table().get();
            Optional<YsonNode> ofTable = tables.attribute(table, name);
            return ofTable.isPresent() ? ofTable : common;
        }
        return common;
    }

    private Optional<YsonNode> commonValue(TreeNode node, String name) {
        boolean isNode = node.object().isEmpty();
        return Optional.ofNullable(
                switch (name) {
                    case "id" -> YsonNode.text(node.id().text());
                    case "type" -> YsonNode.text(node.type().text());
                    case "builtin" -> YsonNode.bool(node.isSystem());
                    case "ref_counter" -> YsonNode.of(1);
                    case "weak_ref_counter" -> YsonNode.of(0);
                    case "foreign", "external", "resolve_cached" -> YsonNode.bool(false);
                    case "native_cell_tag" -> YsonNode.uint(1);
                    case "inherit_acl" -> stored(node).member(name).orElse(YsonNode.bool(true));
                    case "acl" -> stored(node).member(name).orElse(YsonNode.list());
                    case "effective_acl" -> YsonNode.list(effectiveAcl(node));
                    case "owner" -> YsonNode.text(owner(node));
                    case "revision" ->
                            YsonNode.uint(Math.max(contentRevision(node), attributeRevision(node)));
                    case "attribute_revision" -> YsonNode.uint(attributeRevision(node));
                    case "content_revision" -> YsonNode.uint(contentRevision(node));
                    case "user_attribute_keys" ->
                            YsonNode.list(
                                    custom(node).members().keySet().stream()
                                            .map(YsonNode::text)
                                            .toList());
                    case "user_attributes" -> custom(node);
                    case "parent_id" ->
                            isNode
                                    ? reader.parent(node)
                                            .map(parent -> YsonNode.text(parent.id().text()))
                                            .orElse(null)
                                    : null;
                    case "key" ->
                            isNode && !node.path().equals(reader.database())
                                    ? YsonNode.text(node.name())
                                    : null;
                    case "locks" -> isNode ? lockList(node) : null;
                    case "lock_count" ->
                            isNode ? YsonNode.of(transaction.of(node.id()).size()) : null;
                    case "lock_mode" ->
                            isNode ? YsonNode.text(transaction.mode(node.id()).text()) : null;
                    case "path" -> isNode ? YsonNode.text(reader.show(node.path())) : null;
                    case "creation_time" ->
                            isNode ? YsonNode.text(Times.text(created(node))) : null;
                    case "modification_time", "access_time" ->
                            isNode ? YsonNode.text(Times.text(modified(node))) : null;
                    case "access_counter" -> isNode ? YsonNode.of(0) : null;
                    case "resource_usage" -> isNode ? usage(1) : null;
                    case "recursive_resource_usage" -> isNode ? usage(countBelow(node)) : null;
                    case "account" ->
                            isNode
                                    ? stored(node).member(name).orElse(YsonNode.text(USERS_ACCOUNT))
                                    : null;
                    case "account_id" ->
                            isNode
                                    ? YsonNode.text(
                                            ObjectId.named(ObjectType.ACCOUNT, USERS_ACCOUNT)
                                                    .text())
                                    : null;
                    case "reachable" -> isNode ? YsonNode.bool(true) : null;
                    case "opaque" ->
                            isNode ? stored(node).member(name).orElse(YsonNode.bool(false)) : null;
                    case "annotation" ->
                            isNode ? stored(node).member(name).orElse(YsonNode.entity()) : null;
                    case "count" -> node.isMap() ? YsonNode.of(reader.childCount(node)) : null;
                    case "value" -> value(node).orElse(null);
                    case "cell_tag" -> isSys(node) ? YsonNode.uint(1) : null;
                    case CONFIG ->
                            isSys(node)
                                    ? ClusterConfig.view(
                                            BalancerConfig.stored(reader.view(), reader.database()))
                                    : null;
                    case "cluster_name" -> isSys(node) ? YsonNode.text("cleave") : null;
                    case "target_path" ->
                            node.isLink() ? YsonNode.text(node.row().orElseThrow().value()) : null;
                    case "broken" -> node.isLink() ? YsonNode.bool(isBroken(node)) : null;
                    default -> null;
                });
    }

    boolean isSys(TreeNode node) {
        return node.path().equals(reader.database() + "/sys");
    }

    /// The value of a document or of a scalar node.
    static Optional<YsonNode> value(TreeNode node) {
        if (ConfigChange.isOf(node)) {
            return Optional.of(ConfigChange.shown(node));
        }
        return switch (node.type()) {
            case DOCUMENT, STRING_NODE, INT64_NODE, UINT64_NODE, DOUBLE_NODE, BOOLEAN_NODE ->
                    YsonNode.parse(node.row().orElseThrow().value());
            default -> Optional.empty();
        };
    }

    /// Whether the value of its parent shows the node as `#`.
    static boolean isOpaque(TreeNode node) {
        return node.row().filter(row -> !row.attributes().isEmpty()).isPresent()
                && stored(node).member("opaque").filter(YsonNode.bool(true)::equals).isPresent();
    }

    private boolean isBroken(TreeNode link) {
        try {
            var _ =
                    reader.require(
                            YPath.parse(link.row().orElseThrow().value()), TreeReader.Method.GET);
            return false;
        } catch (io.cleave.yt.error.YtException _) {
            return true;
        }
    }

    private YsonNode lockList(TreeNode node) {
        return YsonNode.list(
                transaction.of(node.id()).stream().map(LockObject::attributes).toList());
    }

    /// The entries of the node, and the inherited entries of the nodes above it.
    List<YsonNode> effectiveAcl(TreeNode node) {
        List<YsonNode> entries = new ArrayList<>();
        Optional<TreeNode> at = Optional.of(node);
        while (at.isPresent()) {
            YsonNode.Members attributes = stored(at.get());
            if (attributes.member("acl").map(YsonNode::bare).orElse(YsonNode.list())
                    instanceof YsonNode.Items(List<YsonNode> items)) {
                entries.addAll(items);
            }
            boolean inherits =
                    attributes.member("inherit_acl").filter(YsonNode.bool(false)::equals).isEmpty();
            at = inherits ? reader.parent(at.get()) : Optional.empty();
        }
        return entries;
    }

    static String owner(TreeNode node) {
        return node.row().map(CypressNode::owner).filter(owner -> !owner.isEmpty()).orElse("root");
    }

    private static long created(TreeNode node) {
        return node.entry()
                .map(io.cleave.catalog.CatalogView.Node::createdMicros)
                .or(() -> node.row().map(CypressNode::createdMicros))
                .orElse(0L);
    }

    private static long modified(TreeNode node) {
        return Math.max(created(node), node.row().map(CypressNode::modifiedMicros).orElse(0L));
    }

    /// The revision of the content. The version of a table is added to it, because it grows with
    /// each change of the table's description.
    private static long contentRevision(TreeNode node) {
        return node.row().map(CypressNode::contentRevision).orElse(1L)
                + node.table().map(Table::version).orElse(0L);
    }

    private static long attributeRevision(TreeNode node) {
        return node.row().map(CypressNode::attributeRevision).orElse(1L);
    }

    private long countBelow(TreeNode node) {
        long count = 1;
        if (node.type() == ObjectType.MAP_NODE) {
            for (TreeNode child : reader.children(node)) {
                count += child.isSystem() ? 0 : countBelow(child);
            }
        }
        return count;
    }

    private static YsonNode usage(long nodes) {
        return YsonNode.map()
                .with("node_count", nodes)
                .with("chunk_count", 0)
                .with("tablet_count", 0)
                .with("disk_space", 0)
                .with("disk_space_per_medium", YsonNode.Members.EMPTY)
                .build();
    }
}
