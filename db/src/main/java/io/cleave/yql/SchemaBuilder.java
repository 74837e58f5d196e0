package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Expression.Argument;
import io.cleave.yql.Expression.Call;
import io.cleave.yql.Expression.Literal;
import io.cleave.yql.Statement.AlterTable;
import io.cleave.yql.Statement.ColumnAt;
import io.cleave.yql.Statement.ColumnDefinition;
import io.cleave.yql.Statement.ColumnType;
import io.cleave.yql.Statement.CreateTable;
import io.cleave.yql.Statement.FamilyDefinition;
import io.cleave.yql.Statement.IndexDefinition;
import io.cleave.yql.Statement.Setting;
import io.cleave.yql.Statement.SettingValue;
import io.cleave.yql.Statement.TableChange;

import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Builds CREATE TABLE, ALTER TABLE and CREATE VIEW.
final class SchemaBuilder {
    private static final Set<String> SERIALS =
            Set.of("serial", "serial2", "serial4", "serial8", "smallserial", "bigserial");

    private final ExpressionBuilder expressions;
    private final QueryBuilder queries;
    private final SourceText text;

    SchemaBuilder(ExpressionBuilder expressions, SourceText text) {
        this.expressions = expressions;
        this.text = text;
        queries = expressions.operands().queries();
    }

    CreateTable createTable(Position at, Yql.CreateTableStatementContext context) {
        if (context.PARTITION() != null) {
            Position place = Places.at(context.PARTITION().getSymbol());
            throw Places.unsupported(place, "CREATE TABLE … PARTITION BY");
        }
        List<ColumnDefinition> columns = new ArrayList<>();
        List<ColumnAt> bareColumns = new ArrayList<>();
        List<IndexDefinition> indexes = new ArrayList<>();
        List<FamilyDefinition> families = new ArrayList<>();
        Optional<List<ColumnAt>> primaryKey = Optional.empty();
        for (Yql.TableEntryContext entry : context.tableEntry()) {
            if (entry.columnDefinition() != null) {
                columns.add(column(entry.columnDefinition()));
            } else if (entry.anyName() != null) {
                bareColumns.add(Names.column(entry.anyName()));
            } else if (entry.indexDefinition() != null) {
                indexes.add(index(entry.indexDefinition()));
            } else if (entry.familyDefinition() != null) {
                families.add(family(entry.familyDefinition()));
            } else if (entry.CHANGEFEED() != null) {
                throw Places.unsupported(Places.at(entry), "CHANGEFEED");
            } else if (primaryKey.isPresent()) {
                throw Places.error(
                        Places.at(entry), "PRIMARY KEY statement must be specified only once");
            } else {
                primaryKey = Optional.of(Names.columns(entry.columnNames()));
            }
        }
        return new CreateTable(
                at,
                Names.table(context.tableName()),
                context.TEMP() != null || context.TEMPORARY() != null,
                context.EXISTS() != null,
                columns,
                primaryKey,
                indexes,
                families,
                settings(context.settings()),
                bareColumns,
                context.query() == null
                        ? Optional.empty()
                        : Optional.of(queries.query(context.query())));
    }

    /// `body` has the statements between DO BEGIN and END DO, if the view is written that way.
    Statement.CreateView createView(
            Position at, Yql.CreateViewStatementContext context, List<Statement> body) {
        Yql.QueryContext query = context.query();
        if (query == null && body.isEmpty()) {
            throw Places.error(Places.at(context.routineBody()), "A view needs a query");
        }
        return new Statement.CreateView(
                at,
                Names.table(context.tableName()),
                context.EXISTS() != null,
                context.setting() == null
                        ? settings(context.settings())
                        : List.of(setting(context.setting())),
                kept(query == null ? context.routineBody() : query),
                query == null
                        ? body
                        : List.of(
                                new Statement.Run(Places.at(query), queries.query(query), false)));
    }

    /// The text of a part, in a form that can be parsed on its own.
    private String kept(ParserRuleContext part) {
        return text.of(part, expressions.operands().unicodeLiterals());
    }

    AlterTable alterTable(Position at, Yql.AlterTableStatementContext context) {
        List<TableChange> changes = context.tableChange().stream().map(this::change).toList();
        return new AlterTable(at, Names.table(context.tableName()), changes);
    }

    private TableChange change(Yql.TableChangeContext change) {
        return switch (change) {
            case Yql.AddColumnContext c -> new TableChange.AddColumn(column(c.columnDefinition()));
            case Yql.DropColumnContext c -> new TableChange.DropColumn(Names.column(c.anyName()));
            case Yql.SetFamilyContext c ->
                    new TableChange.SetFamily(Names.column(c.anyName()), Names.of(c.identifier()));
            case Yql.DropNotNullContext c -> new TableChange.DropNotNull(Names.column(c.anyName()));
            case Yql.SetNotNullContext c -> new TableChange.SetNotNull(Names.column(c.anyName()));
            case Yql.SetDefaultContext c ->
                    new TableChange.SetDefault(
                            Names.column(c.anyName()), expressions.coalesced(c.coalesced()));
            case Yql.DropDefaultContext c -> new TableChange.DropDefault(Names.column(c.anyName()));
            case Yql.AddFamilyContext c -> new TableChange.AddFamily(family(c.familyDefinition()));
            case Yql.AlterFamilyContext c ->
                    new TableChange.AlterFamily(
                            new FamilyDefinition(
                                    Places.at(c.identifier(0)),
                                    Names.of(c.identifier(0)),
                                    List.of(setting(c.identifier(1), c.settingValue()))));
            case Yql.AddIndexContext c -> new TableChange.AddIndex(index(c.indexDefinition()));
            case Yql.DropIndexContext c -> new TableChange.DropIndex(Names.column(c.identifier()));
            case Yql.RenameIndexContext c ->
                    new TableChange.RenameIndex(
                            Names.column(c.identifier(0)), Names.of(c.identifier(1)));
            case Yql.AlterIndexContext c -> alterIndex(c);
            case Yql.RenameTableContext c ->
                    new TableChange.RenameTable(Names.table(c.tableName()));
            case Yql.SetSettingsContext c -> new TableChange.SetSettings(settings(c.settings()));
            case Yql.SetSettingContext c ->
                    new TableChange.SetSettings(List.of(setting(c.identifier(), c.settingValue())));
            case Yql.ResetSettingsContext c ->
                    new TableChange.ResetSettings(Names.columns(c.columnNames()));
            case Yql.OtherChangeContext c -> {
                String words = c.getChild(0).getText() + " " + c.getChild(1).getText();
                throw Places.unsupported(
                        Places.at(c), "ALTER TABLE … " + words.toUpperCase(Locale.ROOT) + " …");
            }
            default -> throw new IllegalStateException("not a change: " + change.getClass());
        };
    }

    private static TableChange alterIndex(Yql.AlterIndexContext context) {
        ColumnAt index = Names.column(context.identifier(0));
        if (context.columnNames() != null) {
            return new TableChange.ResetIndex(index, Names.columns(context.columnNames()));
        }
        return new TableChange.AlterIndex(
                index,
                context.settings() != null
                        ? settings(context.settings())
                        : List.of(setting(context.identifier(1), context.settingValue())));
    }

    private ColumnDefinition column(Yql.ColumnDefinitionContext context) {
        String name = Names.of(context.anyName());
        Optional<Boolean> notNull = Optional.empty();
        Optional<String> family = Optional.empty();
        Optional<Expression> preset = Optional.empty();
        Optional<String> generated = Optional.empty();
        boolean afterPreset = false;
        for (Yql.ColumnOptionContext option : context.columnOption()) {
            Position at = Places.at(option);
            // The parentheses of an unknown option may contain any words.
            if (option.identifier() != null) {
                checkFirst(at, "FAMILY", family);
                family = Optional.of(Names.of(option.identifier()));
            } else if (option.start.getType() == Yql.PRIMARY) {
                throw Places.error(
                        at,
                        "mismatched input 'PRIMARY': write the key after the columns,"
                                + " as in PRIMARY KEY (%s)".formatted(name));
            } else if (option.expression() != null) {
                checkFirst(at, "GENERATED", generated);
                generated = Optional.of(generated(at, option));
            } else if (!option.NAME().isEmpty()) {
                throw Places.error(
                        at,
                        "Column %s is not supported in row tables. Use COLUMN FAMILY."
                                .formatted(option.NAME(0).getText()));
            } else if (option.coalesced() != null) {
                checkFirst(at, "DEFAULT", preset);
                preset = Optional.of(expressions.coalesced(option.coalesced()));
            } else {
                checkFirst(at, "NOT NULL", notNull);
                if (afterPreset && option.NOT() != null && context.LEFT_PAREN() == null) {
                    throw Places.error(
                            at,
                            "'DEFAULT' option can not use expr which contains literall 'NOT"
                                    + " NULL': write NOT NULL before DEFAULT");
                }
                notNull = Optional.of(option.NOT() != null);
            }
            afterPreset = option.DEFAULT() != null;
        }
        return new ColumnDefinition(
                Places.at(context),
                name,
                columnType(context.type()),
                notNull.orElse(false),
                family,
                preset,
                generated);
    }

    /// `GENERATED ALWAYS AS (…) STORED`. Only AS and the parentheses are required.
    private String generated(Position at, Yql.ColumnOptionContext option) {
        int as = option.AS().getSymbol().getTokenIndex();
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (TerminalNode name : option.NAME()) {
            boolean isBefore = name.getSymbol().getTokenIndex() < as;
            (isBefore ? before : after).add(name.getText().toUpperCase(Locale.ROOT));
        }
        if (!before.isEmpty() && !before.equals(List.of("GENERATED", "ALWAYS"))) {
            throw Places.error(
                    at, "mismatched input '%s', expecting GENERATED ALWAYS".formatted(before));
        }
        if (after.equals(List.of("VIRTUAL"))) {
            throw Places.unsupported(at, "A VIRTUAL generated column");
        }
        if (!after.isEmpty() && !after.equals(List.of("STORED"))) {
            throw Places.error(at, "mismatched input '%s', expecting STORED".formatted(after));
        }
        return kept(option.expression());
    }

    private static void checkFirst(Position at, String option, Optional<?> known) {
        if (known.isPresent()) {
            throw Places.error(at, "'" + option + "' option can be specified only once");
        }
    }

    private static ColumnType columnType(Yql.TypeContext type) {
        String word = type.getText().toLowerCase(Locale.ROOT);
        return SERIALS.contains(word)
                ? new ColumnType.Serial(type.getText())
                : new ColumnType.Plain(Types.of(type));
    }

    private static IndexDefinition index(Yql.IndexDefinitionContext context) {
        List<Yql.ColumnNamesContext> columns = context.columnNames();
        List<Yql.IdentifierContext> names = context.identifier();
        return new IndexDefinition(
                Places.at(context),
                Names.of(names.getFirst()),
                context.LOCAL() != null,
                context.UNIQUE() != null,
                context.ASYNC() != null,
                names.size() > 1 ? Optional.of(Names.of(names.get(1))) : Optional.empty(),
                Names.columns(columns.getFirst()),
                columns.size() > 1 ? Names.columns(columns.get(1)) : List.of(),
                settings(context.settings()));
    }

    private static FamilyDefinition family(Yql.FamilyDefinitionContext context) {
        return new FamilyDefinition(
                Places.at(context), Names.of(context.identifier()), settings(context.settings()));
    }

    private static List<Setting> settings(Yql.@Nullable SettingsContext context) {
        List<Setting> settings = new ArrayList<>();
        if (context != null) {
            for (Yql.SettingContext setting : context.setting()) {
                settings.add(setting(setting));
            }
        }
        return settings;
    }

    private static Setting setting(Yql.SettingContext setting) {
        return setting(setting.identifier(), setting.settingValue());
    }

    private static Setting setting(Yql.IdentifierContext name, Yql.SettingValueContext value) {
        return new Setting(Places.at(name), Names.of(name), settingValue(value));
    }

    private static SettingValue settingValue(Yql.SettingValueContext value) {
        return switch (value) {
            case Yql.ConstantSettingContext c ->
                    new SettingValue.Constant(Literals.of(c.constant()));
            case Yql.WordSettingContext c -> new SettingValue.Word(Names.of(c.identifier()));
            case Yql.KeysSettingContext c -> keys(c);
            case Yql.TtlSettingContext c -> ttl(c);
            default -> throw new IllegalStateException("not a setting: " + value.getClass());
        };
    }

    private static SettingValue keys(Yql.KeysSettingContext context) {
        List<List<Expression>> keys = new ArrayList<>();
        for (Yql.PartitionKeyContext key : context.partitionKey()) {
            keys.add(key.partitionValue().stream().map(SchemaBuilder::partitionValue).toList());
        }
        return new SettingValue.Keys(keys);
    }

    private static Expression partitionValue(Yql.PartitionValueContext context) {
        if (context.identifier() == null) {
            return Literals.of(context.constant(0));
        }
        if (context.constant().isEmpty()) {
            throw Places.error(
                    Places.at(context), "Identifier is not expected in partition at keys");
        }
        return call(
                Places.at(context),
                context.identifier(),
                context.constant().stream().map(Literals::of).toList());
    }

    private static Call call(Position at, Yql.IdentifierContext name, List<Literal> arguments) {
        return new Call(
                at,
                Optional.empty(),
                Names.of(name),
                arguments.stream().map(value -> new Argument(Optional.empty(), value)).toList(),
                false,
                false,
                Optional.empty());
    }

    private static SettingValue ttl(Yql.TtlSettingContext context) {
        Position at = Places.at(context);
        if (context.ON() == null) {
            throw Places.error(at, "Invalid TTL settings: ON and a column are missing");
        }
        Yql.TtlTierContext tier = context.ttlTier(0);
        if (context.ttlTier().size() > 1 || tier.TO() != null) {
            throw Places.error(at, "Only DELETE via TTL is allowed for row-oriented tables");
        }
        Literal text =
                Literals.string(Places.at(tier.STRING().getSymbol()), tier.STRING().getText());
        return new SettingValue.Ttl(
                call(at, tier.identifier(), List.of(text)),
                Names.of(context.anyName()),
                SourceBuilder.name(context.identifier()));
    }
}
