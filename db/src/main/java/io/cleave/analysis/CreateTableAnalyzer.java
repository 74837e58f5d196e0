package io.cleave.analysis;

import io.cleave.analysis.SettingsClause.PartitionKeys;
import io.cleave.analysis.SettingsClause.Place;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Index;
import io.cleave.schema.Partitioning;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.typed.Relation;
import io.cleave.typed.TypedStatement;
import io.cleave.value.Type;
import io.cleave.yql.Expression;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;
import io.cleave.yql.Statement.ColumnAt;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// CREATE TABLE: checks everything that follows from the text alone. The conditions that depend on
/// the path tree, and the limits of a table, are checked when the table is created.
final class CreateTableAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    CreateTableAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    TypedStatement analyze(Statement.CreateTable create) {
        if (create.source().isPresent() && !create.indexes().isEmpty()) {
            throw AnalysisContext.unsupported(
                    create.indexes().getFirst().at(), "INDEX in CREATE TABLE … AS");
        }
        SettingsClause settings = SettingsClause.read(create.settings(), Place.CREATE, context);
        Optional<TypedStatement.Select> source = create.source().map(this::source);
        if (source.isEmpty() && !create.bareColumns().isEmpty()) {
            ColumnAt bare = create.bareColumns().getFirst();
            throw AnalysisContext.error(
                    bare.at(),
                    "Column " + bare.name() + " needs a type, because there is no AS SELECT");
        }
        List<NewColumn> columns =
                source.isPresent()
                        ? TableOfQuery.columns(create, source.get().rows())
                        : create.columns().stream()
                                .map(column -> ColumnDefinitions.column(column, context, bindings))
                                .toList();
        List<ColumnAt> key = create.primaryKey().orElse(List.of());
        if (key.isEmpty()) {
            throw AnalysisContext.error(create.at(), "Primary key is required for ydb tables.");
        }
        List<Type> keyTypes = new ArrayList<>();
        for (ColumnAt name : key) {
            keyTypes.add(find(columns, name).type());
        }
        checkGenerated(create.at(), columns, key);
        Layout layout = layout(create.at(), settings, keyTypes);
        List<ColumnFamily> families = families(create.families());
        var table =
                new TableDefinition(
                        new SourceAnalyzer(context, bindings).path(create.table()),
                        columns,
                        key.stream().map(ColumnAt::name).toList(),
                        families,
                        options(create.at(), settings, layout),
                        layout,
                        Map.of(),
                        create.indexes().stream()
                                .map(index -> IndexDefinitions.index(index, Index.State.READY))
                                .toList());
        return source.isPresent()
                ? new TypedStatement.CreateTableAs(
                        table, create.ifNotExists(), create.temporary(), source.get())
                : new TypedStatement.CreateTable(table, create.ifNotExists(), create.temporary());
    }

    private TypedStatement.Select source(Query query) {
        Relation rows = new QueryAnalyzer(context, bindings).analyze(query);
        return new TypedStatement.Select(rows, false, context.takeSubQueries());
    }

    private static void checkGenerated(Position at, List<NewColumn> columns, List<ColumnAt> key) {
        List<Column> all = new ArrayList<>();
        for (NewColumn column : columns) {
            all.add(
                    new Column(
                            all.size() + 1,
                            column.name(),
                            column.type(),
                            column.notNull(),
                            column.family(),
                            column.preset()));
        }
        List<Column> keyColumns =
                key.stream().map(name -> all.get(columns.indexOf(find(columns, name)))).toList();
        GeneratedColumnAnalyzer.check(at, all, keyColumns);
    }

    private static NewColumn find(List<NewColumn> columns, ColumnAt name) {
        for (NewColumn column : columns) {
            if (column.name().equals(name.name())) {
                return column;
            }
        }
        throw AnalysisContext.error(
                name.at(), "Unknown column '" + name.name() + "' specified in key column list");
    }

    private static List<ColumnFamily> families(List<Statement.FamilyDefinition> definitions) {
        List<ColumnFamily> families = new ArrayList<>();
        for (Statement.FamilyDefinition definition : definitions) {
            if (families.stream().anyMatch(known -> known.name().equals(definition.name()))) {
                throw AnalysisContext.error(
                        definition.at(),
                        "Family " + definition.name() + " specified more than once");
            }
            families.add(ColumnDefinitions.family(definition).over(ColumnFamily.DEFAULT));
        }
        return families;
    }

    private static TableOptions options(Position at, SettingsClause settings, Layout layout) {
        boolean bySize = settings.bySize().orElse(true);
        if (!bySize && settings.sizeMegabytes().isPresent()) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Auto partitioning partition size is set while auto partitioning by size is"
                            + " disabled",
                    at);
        }
        var partitioning =
                new Partitioning(
                        bySize,
                        settings.sizeMegabytes()
                                .orElse(
                                        bySize
                                                ? Partitioning.DEFAULT.sizeMegabytes()
                                                : Partitioning.NO_SIZE),
                        settings.byLoad().orElse(Partitioning.DEFAULT.byLoad()),
                        settings.minCount().orElse(layout.tabletCount()),
                        settings.maxCount().orElse(Partitioning.DEFAULT.maxCount()));
        return new TableOptions(
                        partitioning,
                        settings.keyBloomFilter(),
                        settings.readReplicas(),
                        settings.ttl())
                .withBalancer(settings.balancer());
    }

    private Layout layout(Position at, SettingsClause settings, List<Type> keyTypes) {
        Optional<PartitionKeys> keys = settings.partitionKeys();
        if (settings.uniformCount().isPresent() && keys.isPresent()) {
            throw AnalysisContext.error(
                    at,
                    "Uniform partitions and partitions at keys settings are mutually exclusive. Use"
                            + " either one of them.");
        }
        if (settings.uniformCount().isPresent()) {
            return new Layout.Uniform(settings.uniformCount().get());
        }
        if (keys.isEmpty()) {
            return new Layout.Single();
        }
        List<List<TypedValue>> cuts = new ArrayList<>();
        for (List<Expression> key : keys.get().keys()) {
            cuts.add(cut(keys.get().at(), key, keyTypes));
        }
        return new Layout.AtKeys(cuts);
    }

    private List<TypedValue> cut(Position at, List<Expression> key, List<Type> keyTypes) {
        if (key.isEmpty()) {
            throw AnalysisContext.error(at, "Empty key in partition at keys");
        }
        if (key.size() > keyTypes.size()) {
            throw AnalysisContext.error(
                    at,
                    "Partition at keys has "
                            + key.size()
                            + " key values while there are only "
                            + keyTypes.size()
                            + " key columns");
        }
        List<TypedValue> values = new ArrayList<>();
        for (int index = 0; index < key.size(); index++) {
            Type type = keyTypes.get(index);
            values.add(new TypedValue(type, PartitionKeyValue.of(key.get(index), type, context)));
        }
        return values;
    }
}
