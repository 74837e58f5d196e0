package io.cleave.yt.table;

import io.cleave.balance.yt.settings.OldAttributes;
import io.cleave.base.Bytes;
import io.cleave.cluster.Bundles;
import io.cleave.schema.Balancer;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Partitioning;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.schema.YtTable;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// The definition of a table that a client creates. Pure.
///
/// @param userAttributes the attributes that are not the table's own
record TableCreation(TableDefinition definition, YsonNode.Members userAttributes) {
    /// A table that grows is split. Tablets that a user has created are not merged.
    private static final Partitioning PARTITIONING =
            new Partitioning(
                    true, Partitioning.DEFAULT.sizeMegabytes(), false, Partitioning.NO_MERGES, 0);

    static TableCreation of(
            String path,
            YsonNode.Members attributes,
            ComputedColumns computed,
            Collection<String> bundles) {
        var given = new Given(attributes);
        if (!given.parameters.flag("dynamic", false)) {
            throw problem("Static tables are not supported: set \"dynamic\" to %true");
        }
        YtSchema schema =
                SchemaRules.read(
                        given.take("schema")
                                .orElseThrow(
                                        () ->
                                                problem(
                                                        "\"schema\" must be specified for a dynamic"
                                                                + " table")),
                        Optional.empty(),
                        computed);
        List<Bytes> pivots = given.pivots(schema);
        Map<String, String> attributesOfTable = new HashMap<>();
        given.bundle(bundles).ifPresent(bundle -> attributesOfTable.put(Bundles.ATTRIBUTE, bundle));
        YtTable yt = given.settings(schema);
        Optional<Balancer> balancer =
                given.take(TableAttributes.BALANCER).map(TableCreation::balancer);
        given.takeIgnored();
        return new TableCreation(
                definition(
                        path, schema, computed, pivots, options(yt, balancer), attributesOfTable),
                new YsonNode.Members(given.left));
    }

    static TableDefinition definition(
            String path,
            YtSchema schema,
            ComputedColumns computed,
            List<Bytes> pivots,
            TableOptions options,
            Map<String, String> attributes) {
        return new TableDefinition(
                path,
                TableSchemas.columns(schema, computed.presets(schema)),
                schema.keyColumns().stream().map(SchemaColumn::name).toList(),
                TableFamilies.of(schema, new YtSettings(options.yt().orElseThrow())),
                options,
                layout(schema, pivots),
                attributes);
    }

    static TableOptions options(YtTable yt, Optional<Balancer> balancer) {
        return TableOptions.DEFAULT.with(PARTITIONING).with(yt).withBalancer(balancer);
    }

    /// Reads the attribute `balancer`.
    static Balancer balancer(YsonNode value) {
        return value.string()
                .flatMap(Balancer::named)
                .orElseThrow(
                        () ->
                                problem(
                                        "Attribute \"balancer\" must be \"yt\" or \"ydb\", found "
                                                + value.print()));
    }

    private static Layout layout(YtSchema schema, List<Bytes> pivots) {
        if (pivots.size() <= 1) {
            return new Layout.Single();
        }
        List<Type> types = schema.keyColumns().stream().map(key -> key.type().stored()).toList();
        List<List<TypedValue>> keys = new ArrayList<>();
        for (Bytes pivot : pivots.subList(1, pivots.size())) {
            Value[] values = KeyCodec.decode(types, pivot);
            List<TypedValue> key = new ArrayList<>();
            for (int index = 0; index < values.length; index++) {
                key.add(new TypedValue(types.get(index).optional(), values[index]));
            }
            keys.add(key);
        }
        return new Layout.AtKeys(keys);
    }

    /// The attributes of the request. Each method takes out the attributes that it reads.
    private static final class Given {
        final CommandParameters parameters;
        final SequencedMap<Bytes, YsonNode> left;

        Given(YsonNode.Members attributes) {
            parameters = new CommandParameters(attributes);
            left = new LinkedHashMap<>(attributes.members());
        }

        /// Takes out an attribute, together with the attributes of its value.
        Optional<YsonNode> take(String name) {
            return Optional.ofNullable(left.remove(Bytes.utf8(name)))
                    .filter(value -> !(value.bare() instanceof YsonNode.Entity));
        }

        /// The first keys of the tablets. The first one is empty.
        List<Bytes> pivots(YtSchema schema) {
            Optional<YsonNode> keys = take("pivot_keys");
            Optional<Long> count = parameters.number("tablet_count");
            var _ = take("tablet_count");
            if (keys.isPresent() && count.isPresent()) {
                throw problem("Cannot specify both \"tablet_count\" and \"pivot_keys\"");
            }
            List<Bytes> pivots =
                    keys.isPresent()
                            ? PivotKeys.read(schema.keyColumns(), keys.get())
                            : pivots(schema, count.orElse(1L));
            if (pivots.isEmpty() || !pivots.getFirst().isEmpty()) {
                throw problem(
                        "First pivot key must match that of the first tablet in the resharded"
                                + " range");
            }
            PivotRules.checkIncreasing(pivots);
            PivotRules.checkCount(pivots.size());
            return pivots;
        }

        /// The first keys of this number of tablets. An empty table can be divided only if its
        /// first key column is an integer. Other tables begin with one tablet.
        private static List<Bytes> pivots(YtSchema schema, long count) {
            if (count <= 0) {
                throw problem("Tablet count must be positive");
            }
            PivotRules.checkCount(count);
            SchemaColumn first = schema.keyColumns().getFirst();
            return Ints.isInteger(first.type().stored())
                    ? PivotKeys.uniform(first, (int) count)
                    : List.of(Bytes.EMPTY);
        }

        Optional<String> bundle(Collection<String> bundles) {
            Optional<String> bundle = parameters.text(Bundles.ATTRIBUTE);
            var _ = take(Bundles.ATTRIBUTE);
            bundle.ifPresent(name -> checkBundle(name, bundles));
            return bundle.filter(name -> !name.equals(Bundles.DEFAULT));
        }

        YtTable settings(YtSchema schema) {
            var yt =
                    new YtTable(
                            true,
                            TableSchemas.kept(schema),
                            Collections.emptySortedMap(),
                            MountStates.of(MountState.UNMOUNTED));
            for (YtSetting setting : YtSetting.values()) {
                Optional<YsonNode> value = take(setting.attribute);
                if (value.isPresent()) {
                    yt = new YtSettings(yt).with(setting, value.get());
                }
            }
            for (String name : OldAttributes.NAMES) {
                Optional<YsonNode> value = take(name);
                if (value.isPresent()) {
                    var settings = new YtSettings(yt);
                    YsonNode config = OldAttributes.with(name, value, settings.balancerConfig());
                    yt = settings.with(YtSetting.TABLET_BALANCER_CONFIG, config);
                }
            }
            return yt;
        }

        void takeIgnored() {
            var _ = take("dynamic");
            var _ = take("external");
            var _ = take("external_cell_tag");
            Optional<YsonNode> replica = take("upstream_replica_id");
            if (replica.flatMap(YsonNode::string).filter(id -> !id.equals("0-0-0-0")).isPresent()) {
                throw problem("Replicated tables are not supported");
            }
        }
    }

    static void checkBundle(String name, Collection<String> bundles) {
        if (!bundles.contains(name)) {
            throw problem("No such tablet cell bundle \"%s\"".formatted(name));
        }
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
