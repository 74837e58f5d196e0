package io.cleave.tidy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tree.Scheme;
import io.cleave.yt.table.row.RowGate;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Holds the packages to the picture in ARCHITECTURE.md.
class LayersTest {
    /// What each package may name, of ours. A new package says here where it stands; a new arrow is
    /// a change of the architecture, and is argued for in the commit that adds it. A sub-package is
    /// a package of its own here: what its parent may name says nothing about it.
    private static final Map<String, Set<String>> MAY_NAME =
            Map.ofEntries(
                    entry("base"),
                    // Counts bytes, and knows nobody who takes them.
                    entry("memory", "base"),
                    entry("value", "base"),
                    entry("schema", "value", "base"),
                    // Who calls, and what they may do: rules only. The packages that
                    // store users and run requests are above it.
                    entry("access", "schema", "value", "base"),
                    // Asks the clock, so as not to repeat a hint.
                    entry("disk", "base"),
                    entry("blob", "disk", "base"),
                    entry("log", "disk", "base"),
                    // Rows, versions and cursors: what memtables and table files have in common.
                    entry("lsm.row", "base"),
                    entry("lsm.memtable", "lsm.row", "base"),
                    entry("lsm.table", "lsm.row", "blob", "base"),
                    entry("lsm", "lsm.table", "lsm.memtable", "lsm.row", "base"),
                    // The line of time; knows no cells.
                    entry("time", "log", "base"),
                    // The stored form of a table's rows; knows no tablets.
                    entry("codec", "lsm.row", "schema", "value", "base"),
                    // What a cell is made of, from the bottom upwards: records of its log, the
                    // figures of its tablets, locks, the decisions of multi-cell commits and of
                    // the background's pace. None of them knows a cell or a tablet.
                    entry("tablet.record", "lsm.row", "lsm.table", "schema", "base"),
                    entry("tablet.meter", "tablet.record", "schema", "base"),
                    entry("tablet.lock", "tablet.record", "schema", "memory", "base"),
                    entry("tablet.twophase", "tablet.lock", "tablet.record", "log", "base"),
                    // The pacer of a compaction is called by the writer of its files.
                    entry("tablet.pace", "lsm.table", "base"),
                    entry(
                            "tablet",
                            "tablet.pace",
                            "tablet.twophase",
                            "tablet.lock",
                            "tablet.meter",
                            "tablet.record",
                            "time",
                            "codec",
                            "lsm",
                            "lsm.table",
                            "lsm.row",
                            "log",
                            "blob",
                            "schema",
                            "value",
                            "memory",
                            "base"),
                    // Turns values into the rows that lsm stores, and back; so does tablet.
                    entry(
                            "catalog",
                            "tablet",
                            "tablet.lock",
                            "tablet.record",
                            "time",
                            "lsm.row",
                            "schema",
                            "value",
                            "base"),
                    // Decides, and never sees a tablet.
                    entry("balance", "schema", "value", "base"),
                    entry("balance.ydb", "balance", "schema", "value", "base"),
                    // YTsaurus' balancer. Formulas and settings are refused with errors of its
                    // API. A schedule is a formula that the settings name.
                    entry("balance.yt.formula", "yt.error", "value"),
                    entry("balance.yt.settings", "balance.yt.formula", "yt.error", "value", "base"),
                    entry(
                            "balance.yt.schedule",
                            "balance.yt.settings",
                            "balance.yt.formula",
                            "yt.error",
                            "value",
                            "base"),
                    entry("balance.yt.reshard", "balance", "balance.yt.settings", "schema", "base"),
                    entry("balance.yt.move", "balance", "balance.yt.settings", "base"),
                    // Expressions are compiled by the language that the policy is given.
                    entry("balance.yt.metric", "balance", "yt.error", "schema", "base"),
                    // The policy reads the stored settings itself.
                    entry(
                            "balance.yt",
                            "balance",
                            "balance.yt.metric",
                            "balance.yt.move",
                            "balance.yt.reshard",
                            "balance.yt.schedule",
                            "balance.yt.settings",
                            "yt.error",
                            "schema",
                            "value",
                            "base"),
                    // Turns a table's settings into those of its trees.
                    entry(
                            "cluster",
                            "catalog",
                            "tablet",
                            "tablet.meter",
                            "tablet.record",
                            "time",
                            "lsm",
                            "lsm.table",
                            "schema",
                            "value",
                            "base"),
                    // Every DDL statement; has its tablets made and dropped by cluster.
                    entry(
                            "tree",
                            "access",
                            "cluster",
                            "catalog",
                            "tablet",
                            "tablet.record",
                            "time",
                            "schema",
                            "value",
                            "base"),
                    // Changes of tablets that outlive the process.
                    entry("control.action", "cluster", "catalog", "schema", "base"),
                    // When YTsaurus' rules are asked, and what for.
                    entry(
                            "control.round",
                            "balance",
                            "balance.yt",
                            "balance.yt.schedule",
                            "yt.error",
                            "catalog",
                            "schema",
                            "base"),
                    // Asks the policy of YTsaurus' balancer about clusters that are not there.
                    entry(
                            "balance.yt.whatif",
                            "balance",
                            "balance.yt",
                            "balance.yt.schedule",
                            "balance.yt.formula",
                            "balance.yt.settings",
                            "yt.error",
                            "schema",
                            "value",
                            "base"),
                    // Measures tablets, and carries out what balance decides. The settings of
                    // YTsaurus' rules for all bundles are a document of the tree.
                    entry(
                            "control",
                            "control.action",
                            "control.round",
                            "balance",
                            "balance.yt.schedule",
                            "balance.yt.whatif",
                            "tree",
                            "cluster",
                            "catalog",
                            "tablet",
                            "tablet.meter",
                            "time",
                            "lsm",
                            "lsm.table",
                            "schema",
                            "value",
                            "base"),
                    // Does the work on rows that a change of a column needs.
                    entry(
                            "txn",
                            "tree",
                            "cluster",
                            "tablet",
                            "tablet.twophase",
                            "tablet.lock",
                            "tablet.record",
                            "time",
                            "codec",
                            "schema",
                            "value",
                            "memory",
                            "base"),
                    entry("yql", "value", "base"),
                    // JsonPath and hashes: what functions of the library are made of.
                    entry("jsonpath", "value", "base"),
                    entry("hash"),
                    // The typed tree: what a language comes to, and what plan and exec begin with.
                    entry("typed", "schema", "value", "base"),
                    // The function library: how a call is read, then its subjects from the bottom
                    // upwards, then the index of them all. It takes arguments as yql's expressions,
                    // and knows no tables.
                    entry("function.call", "typed", "yql", "value", "base"),
                    entry("function.time", "function.call", "typed", "yql", "value", "base"),
                    entry("function.text", "function.call", "typed", "hash", "value", "base"),
                    entry(
                            "function.document",
                            "function.call",
                            "typed",
                            "yql",
                            "jsonpath",
                            "hash",
                            "value",
                            "base"),
                    // Compare, match and calculate strings and dates too.
                    entry(
                            "function.operator",
                            "function.text",
                            "function.time",
                            "function.call",
                            "typed",
                            "yql",
                            "value",
                            "base"),
                    entry(
                            "function.number",
                            "function.operator",
                            "function.call",
                            "typed",
                            "value",
                            "base"),
                    entry(
                            "function.aggregate",
                            "function.operator",
                            "function.call",
                            "typed",
                            "yql",
                            "value",
                            "base"),
                    // ListAggregate is made of aggregates; a member may be one of a document.
                    entry(
                            "function.container",
                            "function.aggregate",
                            "function.document",
                            "function.operator",
                            "function.text",
                            "function.call",
                            "typed",
                            "yql",
                            "value",
                            "base"),
                    // Errors of YTsaurus' API: thrown by its language, its commands and its
                    // functions.
                    entry("yt.error", "value", "base"),
                    // YTsaurus' operators and functions, which differ from YQL's. Wildcards and
                    // the gamma function are the same. YQL has its hash, to write the same keys.
                    entry(
                            "function.yt",
                            "function.text",
                            "function.number",
                            "yt.error",
                            "typed",
                            "hash",
                            "value",
                            "base"),
                    entry(
                            "function",
                            "function.yt",
                            "function.container",
                            "function.aggregate",
                            "function.number",
                            "function.operator",
                            "function.document",
                            "function.text",
                            "function.time",
                            "function.call",
                            "typed",
                            "yql",
                            "value",
                            "base"),
                    entry(
                            "analysis",
                            "function",
                            "function.container",
                            "function.aggregate",
                            "function.operator",
                            "function.document",
                            "function.text",
                            "function.call",
                            "typed",
                            "yql",
                            // A generated column of a table that YTsaurus' API made has an
                            // expression in YTsaurus' language.
                            "ytql",
                            "access",
                            "schema",
                            "value",
                            "base"),
                    // YTsaurus' query language: from a text to the typed tree.
                    entry("ytql", "function.yt", "yt.error", "typed", "schema", "value", "base"),
                    // Infers key ranges from conditions on key columns; knows no tables.
                    entry("plan.range", "typed", "schema", "value", "base"),
                    entry("plan", "plan.range", "typed", "schema", "value", "base"),
                    // The memory of a run and its files; expressions by row; expressions by column.
                    entry("exec.spill", "value", "memory", "base"),
                    entry("exec.eval", "exec.spill", "typed", "value", "base"),
                    entry(
                            "exec.kernel",
                            "exec.eval",
                            "exec.spill",
                            "typed",
                            "txn",
                            "value",
                            "base"),
                    entry(
                            "exec",
                            "exec.kernel",
                            "exec.eval",
                            "exec.spill",
                            "plan",
                            "typed",
                            "txn",
                            "schema",
                            "value",
                            "memory",
                            "base"),
                    // Reads tables, and writes those of indexes past their transactions; the
                    // catalog
                    // keeps how far it has come with that.
                    entry(
                            "index",
                            "exec",
                            "txn",
                            "tree",
                            "cluster",
                            "catalog",
                            "tablet",
                            "tablet.record",
                            "time",
                            "schema",
                            "value",
                            "base"),
                    // Erases rows as a statement would, and whole files where it may.
                    entry(
                            "ttl", "exec", "plan", "txn", "cluster", "tablet", "schema", "value",
                            "base"),
                    // What runs cost, whoever runs them.
                    entry("query.metric", "schema", "value", "base"),
                    // Shows what others know, as rows.
                    entry(
                            "query.view",
                            "query.metric",
                            "ttl",
                            "memory",
                            "index",
                            "txn",
                            "control",
                            "tree",
                            "cluster",
                            "access",
                            "schema",
                            "value",
                            "base"),
                    entry(
                            "query",
                            "query.view",
                            "query.metric",
                            "ttl",
                            "memory",
                            "index",
                            "exec",
                            "exec.spill",
                            "plan",
                            "analysis",
                            "ytql",
                            "function.call",
                            "typed",
                            "yql",
                            "txn",
                            "control",
                            "tree",
                            "cluster",
                            "access",
                            "schema",
                            "value",
                            "base"),
                    // Ports and their threads, whichever protocol is spoken there.
                    entry("net"),
                    // The transport below wire, which knows nothing of databases.
                    entry("rpc", "net", "memory", "base"),
                    // The transport below console and every other front end over HTTP/1.1. Bodies
                    // take
                    // their memory from a pool.
                    entry("http", "net", "memory", "base"),
                    // YTsaurus' API from the bottom upwards: formats, what a command is, the
                    // commands
                    // of the tree and of tables, and the HTTP proxy.
                    // Readers take memory of the server's pools for what they keep.
                    entry("yt.format", "yt.error", "value", "memory", "base"),
                    entry(
                            "yt.command",
                            "yt.format",
                            "yt.error",
                            "query",
                            "access",
                            "value",
                            "base"),
                    entry(
                            "yt.tree",
                            "balance.yt.schedule",
                            "balance.yt.formula",
                            "balance.yt.settings",
                            "yt.command",
                            "yt.format",
                            "yt.error",
                            "query",
                            "tree",
                            "catalog",
                            "access",
                            "schema",
                            "value",
                            "memory",
                            "base"),
                    entry(
                            "yt.table",
                            "balance.yt.settings",
                            "yt.tree",
                            "control",
                            "control.action",
                            "yt.command",
                            "yt.format",
                            "yt.error",
                            "ytql",
                            "typed",
                            "query",
                            "txn",
                            "tree",
                            "cluster",
                            "catalog",
                            "access",
                            "schema",
                            "value",
                            "memory",
                            "base"),
                    // Rows by key: between the wire and the front door for encoded keys.
                    entry(
                            "yt.table.row",
                            "yt.table",
                            "yt.tree",
                            "yt.command",
                            "yt.format",
                            "yt.error",
                            "query",
                            "txn",
                            "tree",
                            "cluster",
                            "access",
                            "schema",
                            "value",
                            "memory",
                            "base"),
                    // Queries: compiled and run by the front door, as those of YQL are.
                    entry(
                            "yt.table.query",
                            "balance.yt.metric",
                            "balance",
                            "exec.eval",
                            "typed",
                            "yt.table.row",
                            "yt.command",
                            "yt.format",
                            "yt.error",
                            "ytql",
                            "function.yt",
                            "query",
                            "query.metric",
                            "plan",
                            "txn",
                            "tree",
                            "schema",
                            "value",
                            "base"),
                    entry(
                            "yt",
                            "yt.table.query",
                            "yt.table.row",
                            "yt.table",
                            "yt.tree",
                            "yt.command",
                            "yt.format",
                            "yt.error",
                            "http",
                            "query",
                            "txn",
                            // Hands the balancer on.
                            "control",
                            "tree",
                            "cluster",
                            "access",
                            "schema",
                            "value",
                            "memory",
                            "base"),
                    // Messages and what they mean: no request runs here.
                    entry("wire.value", "rpc", "plan", "schema", "value", "base"),
                    entry(
                            "wire.scheme",
                            "wire.value",
                            "access",
                            "tree",
                            "cluster",
                            "schema",
                            "value",
                            "base"),
                    // What the front door hands through as values: paths, isolations, shapes.
                    entry(
                            "wire",
                            "wire.scheme",
                            "wire.value",
                            "rpc",
                            "access",
                            "memory",
                            "query",
                            "query.metric",
                            "index",
                            "plan",
                            "txn",
                            "tree",
                            "cluster",
                            "schema",
                            "value",
                            "base"),
                    // Writes JSON.
                    entry("console", "http", "access", "value", "base"),
                    entry(
                            "node",
                            "memory",
                            "access",
                            "wire",
                            "http",
                            "console",
                            "yt",
                            // What the schedules of bundles say.
                            "yt.tree",
                            // The language of the balancer's metrics.
                            "yt.table.query",
                            "query",
                            "ttl",
                            "index",
                            "exec",
                            "exec.spill",
                            "txn",
                            "control",
                            // What kept bundles from being balanced.
                            "control.round",
                            // Wires the actions, and checks their rows.
                            "control.action",
                            "tree",
                            "cluster",
                            "balance",
                            "balance.ydb",
                            "balance.yt",
                            "balance.yt.reshard",
                            "balance.yt.schedule",
                            "balance.yt.formula",
                            "balance.yt.whatif",
                            "yt.error",
                            "catalog",
                            "tablet",
                            "tablet.pace",
                            "tablet.twophase",
                            "tablet.lock",
                            "tablet.record",
                            "time",
                            "codec",
                            "lsm.table",
                            "lsm.row",
                            "log",
                            "blob",
                            "disk",
                            "hash",
                            "schema",
                            "value",
                            "base"));

    private static final JavaClasses MAIN =
            new ClassFileImporter().importPath(Path.of("target/classes"));

    private static Map.Entry<String, Set<String>> entry(String name, String... mayName) {
        return Map.entry(name, Set.of(mayName));
    }

    @Test
    void everyPackageStandsSomewhere() {
        classes().should().resideInAnyPackage(within(MAY_NAME.keySet())).check(MAIN);
    }

    @Test
    void packagesNameOnlyWhatTheyMay() {
        MAY_NAME.forEach(LayersTest::checkNames);
    }

    private static void checkNames(String name, Set<String> allowed) {
        Set<String> barred = new TreeSet<>(MAY_NAME.keySet());
        barred.removeAll(allowed);
        barred.remove(name);
        noClasses()
                .that()
                .resideInAPackage("io.cleave." + name)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(within(barred))
                .because(name + " may name " + allowed)
                .allowEmptyShould(true)
                .check(MAIN);
    }

    /// Classes above `tablet` that hold the cells of this process, each with the reason. All others
    /// use cells through `CellService`, `CellStructure` and `TabletStatistics`.
    private static final Map<String, String> HOLDS_CELLS =
            Map.of(
                    "Cells", "is the directory of cells, and gives them out as CellService",
                    "Tablets", "is given the cells that the node has opened, for the directory",
                    "Replicas", "opens read replicas of the cells that this process leads",
                    "CellHosting", "opens and closes cells of this process",
                    "CellLifecycle", "adds cells to the directory, and takes them out");

    /// A cell may be led by another process one day: see decision 27. The catalog keeps its rows in
    /// cell 0 of its own node; `node` opens cells, and checks them at start.
    @Test
    void cellsAreUsedThroughTheirService() {
        noClasses()
                .that()
                .resideInAnyPackage(CELL_USERS)
                .and(DescribedPredicate.not(holdsCells()))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Cell.class, Tablet.class, ReadLocks.class)
                .orShould()
                .callMethod(Route.class, "tablet")
                .because("they use cells through CellService, except for " + HOLDS_CELLS)
                .check(MAIN);
    }

    private static final String[] CELL_USERS =
            within(
                    Set.of(
                            "cluster",
                            "control",
                            "tree",
                            "txn",
                            "index",
                            "ttl",
                            "exec",
                            "query",
                            "query.view"));

    private static DescribedPredicate<JavaClass> holdsCells() {
        return DescribedPredicate.describe(
                "hold the cells of this process",
                type ->
                        type.getPackageName().equals("io.cleave.cluster")
                                && HOLDS_CELLS.containsKey(outermost(type)));
    }

    @Test
    void aTabletIsNamedByItsRoute() {
        noClasses()
                .that()
                .resideInAnyPackage(CELL_USERS)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Tablet.class, ReadLocks.class)
                .because("a tablet is named by its route")
                .check(MAIN);
    }

    /// What a transaction may name of cells: the interface, and what its calls take and return.
    private static final Set<String> OF_CELL_SERVICE =
            Set.of(
                    "CellService",
                    "CellLink",
                    "CellLinks",
                    "Route",
                    "MovedException",
                    "RowScan",
                    "ColumnScan",
                    "ChangedKey",
                    "LockOwner",
                    "LockState",
                    "TabletWrites",
                    "Preparation",
                    "PrepareResult",
                    "DecideResult",
                    "CommitDecision",
                    "CommitResult");

    @Test
    void transactionsKnowOfCellsOnlyWhatTheirServiceTakesAndReturns() {
        noClasses()
                .that()
                .resideInAPackage("io.cleave.txn")
                .should()
                .dependOnClassesThat(
                        DescribedPredicate.describe(
                                "are parts of cells",
                                (JavaClass type) ->
                                        type.getPackageName().startsWith("io.cleave.tablet")
                                                && !OF_CELL_SERVICE.contains(outermost(type))))
                .check(MAIN);
    }

    private static String outermost(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /// A front end reads and changes the tree as the caller of the call that it serves, through
    /// `Database.as`. A tree that it keeps for longer would belong to no caller. `RowGate` belongs
    /// to one call.
    @Test
    void frontEndsKeepNoTree() {
        noFields()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage("io.cleave.wire..", "io.cleave.yt..", "io.cleave.console..")
                .and()
                .areNotDeclaredIn(RowGate.class)
                .should()
                .haveRawType(JavaClass.Predicates.assignableTo(Scheme.class))
                .because("a front end gets the tree from Database.as")
                .check(MAIN);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.cleave.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void noTwoTypesHaveOneName() {
        Map<String, Set<String>> packagesByName = new TreeMap<>();
        for (JavaClass type : MAIN) {
            if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
                packagesByName
                        .computeIfAbsent(type.getSimpleName(), _ -> new TreeSet<>())
                        .add(type.getPackageName());
            }
        }
        packagesByName.values().removeIf(packages -> packages.size() == 1);
        assertThat(packagesByName).as("names that stand twice").isEmpty();
    }

    @Test
    void timeComesFromTheClockThatWasGiven() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.cleave.base..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .because("a simulated run must see only the clock it was given")
                .check(MAIN);
    }

    private static String[] within(Set<String> packages) {
        return packages.stream().map(p -> "io.cleave." + p).toArray(String[]::new);
    }
}
