package io.cleave.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.cleave.base.Env;
import io.cleave.exec.PointSelect;
import io.cleave.plan.PlanRules;
import io.cleave.plan.Program;
import io.cleave.query.metric.QueryMeter;
import io.cleave.query.view.CachedPlan;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.schema.View;
import io.cleave.tree.Scheme;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Compiles texts and caches the programs. A program is valid as long as every table it uses is
/// still at its path, is unchanged, and has about as many rows as when the plan was chosen. Scheme
/// statements are never cached.
final class PlanCache {
    /// Limit of the size of all programs, as estimated by [#bytes].
    static final long MAX_BYTES = 64L << 20;

    /// A longer text was probably generated and will not be sent again, so it is not cached.
    static final int MAX_TEXT_CHARS = 64 * 1024;

    private static final int PROGRAM_BYTES = 16 << 10;
    private static final int BYTES_PER_CHAR = 128;
    private static final int BYTES_PER_TYPE_CHAR = 16;
    private static final int BYTES_PER_COLUMN = 256;

    private final Env env;
    private final String database;
    private final Scheme tables;
    private final Compiler compiler = new Compiler();
    private final CompileMemory memory;
    private final AtomicLong compiledCount = new AtomicLong();

    /// Does its maintenance on the threads of its callers.
    private final Cache<QueryText, Compiled> programs;

    /// All programs together take at most `mostBytes`, and at most [#MAX_BYTES].
    PlanCache(Env env, String database, Scheme tables, CompileMemory memory, long mostBytes) {
        programs =
                Caffeine.newBuilder()
                        .maximumWeight(Math.min(mostBytes, MAX_BYTES))
                        .weigher((QueryText text, Compiled compiled) -> bytes(text, compiled))
                        .executor(Runnable::run)
                        .build();
        this.env = env;
        this.database = database;
        this.tables = tables;
        this.memory = memory;
    }

    /// Estimates the size of a program on the heap. Every word of the text, of its placeholders and
    /// of its views becomes objects, once as a plan and once as operators. Types, including those
    /// of parameters, and the columns of tables are added.
    private static int bytes(QueryText text, Compiled compiled) {
        long chars = text.expandedChars();
        for (View view : compiled.views()) {
            chars += view.text().length();
        }
        long bytes = PROGRAM_BYTES + BYTES_PER_CHAR * chars;
        for (Type type : text.sentTypes().values()) {
            bytes += (long) BYTES_PER_TYPE_CHAR * type.text().length();
        }
        for (Compiled.TableAt table : compiled.tables()) {
            bytes += (long) BYTES_PER_COLUMN * table.columnCount();
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    Optional<Compiled> find(QueryText text) {
        Compiled found = programs.getIfPresent(text);
        if (found == null) {
            return Optional.empty();
        }
        if (!isCurrent(found)) {
            programs.asMap().remove(text, found);
            return Optional.empty();
        }
        return Optional.of(found);
    }

    /// The approximate size of all programs.
    long bytes() {
        return programs.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    /// All cached programs, valid or not.
    List<CachedPlan> kept() {
        return programs.asMap().entrySet().stream()
                .map(entry -> cached(entry.getKey().text(), entry.getValue()))
                .toList();
    }

    private static CachedPlan cached(String text, Compiled compiled) {
        String shown = compiled.meter().text();
        Compiled.Origin origin = compiled.origin();
        return new CachedPlan(
                origin.number(),
                shown,
                !shown.equals(text),
                origin.atMicros(),
                origin.micros(),
                compiled.program().warnings());
    }

    Compiled compile(QueryText text) {
        return find(text).orElseGet(() -> compileNew(text));
    }

    /// The tables as the text names them, including temporary tables of its session.
    Tables tables(QueryText text) {
        return new SessionTables(tables, text.temporaries());
    }

    private Compiled compileNew(QueryText text) {
        Compiled compiled = compileOnce(text, tables(text));
        if (compiled.program().kind() != Program.Kind.SCHEME
                && text.expandedChars() <= MAX_TEXT_CHARS) {
            programs.put(text, compiled.asCached());
        }
        return compiled;
    }

    /// Compiles against these tables, and does not cache the program.
    Compiled compileOnce(QueryText text, Tables against) {
        long start = env.nanoTime();
        long changes = tables.changes();
        Recording seen;
        Program program;
        try (CompileMemory.Views views = memory.views()) {
            seen = new Recording(against, views);
            program = program(text, seen);
        }
        long micros = (env.nanoTime() - start) / 1000;
        return new Compiled(
                program,
                seen.found.values().stream()
                        .map(
                                t ->
                                        new Compiled.TableAt(
                                                t.path(), t.id(), t.version(), t.columns().size()))
                        .toList(),
                List.copyOf(seen.views.values()),
                false,
                micros,
                new Compiled.Origin(compiledCount.incrementAndGet(), env.wallMicros(), micros),
                new Compiled.LastLook(changes),
                new RowCounts(env, seen.counts),
                new ShortRuns(),
                new QueryMeter(text.text()),
                PointSelect.of(program)
                        .filter(point -> !SystemViews.holds(point.columns().table())));
    }

    private Program program(QueryText text, Recording seen) {
        if (!DeepTexts.isDeep(text)) {
            try {
                return programHere(text, seen);
            } catch (DeepTexts.DeepInside _) {
                // Compile on a large stack instead.
            }
        }
        seen.takesDeepOnes = true;
        Supplier<Program> deep = () -> DeepTexts.onLargeStack(env, () -> programHere(text, seen));
        return text.yt().isPresent()
                ? memory.duringYt(text, deep)
                : memory.during(text.text(), deep);
    }

    private Program programHere(QueryText text, Recording seen) {
        return compiler.compile(
                text.text(),
                text.sentTypes(),
                new CompileOptions(database, text.dialect(), PlanRules.ALL, text.yt()),
                seen);
    }

    /// Whether the program's tables and views are unchanged, and their numbers of rows about the
    /// same.
    boolean isCurrent(Compiled compiled) {
        return areTheSame(compiled) && !compiled.rowCounts().haveChanged(tables);
    }

    private boolean areTheSame(Compiled compiled) {
        long changes = tables.changes();
        if (compiled.lastLook().changes == changes) {
            return true;
        }
        boolean current = isUnchanged(compiled);
        if (current) {
            compiled.lastLook().changes = changes;
        }
        return current;
    }

    private boolean isUnchanged(Compiled compiled) {
        for (Compiled.TableAt at : compiled.tables()) {
            Optional<Table> now = tables.find(at.path());
            if (now.isEmpty() || now.get().id() != at.id() || now.get().version() != at.version()) {
                return false;
            }
        }
        for (View view : compiled.views()) {
            if (!tables.view(view.path()).equals(Optional.of(view))) {
                return false;
            }
        }
        return true;
    }

    /// Records the tables and views that the compiler asks for, and their estimated numbers of
    /// rows.
    private static final class Recording implements Tables {
        private final Tables tables;
        private final CompileMemory.Views memory;
        private final Map<String, Table> found = new LinkedHashMap<>();
        private final Map<String, View> views = new LinkedHashMap<>();
        private final List<RowCounts.Count> counts = new ArrayList<>();
        private boolean takesDeepOnes;

        Recording(Tables tables, CompileMemory.Views memory) {
            this.tables = tables;
            this.memory = memory;
        }

        @Override
        public Optional<Table> find(String path) {
            Optional<Table> table = tables.find(path);
            if (table.isPresent() && !takesDeepOnes && DeepTexts.isDeep(table.get())) {
                throw new DeepTexts.DeepInside();
            }
            table.ifPresent(t -> found.putIfAbsent(path, t));
            return table;
        }

        @Override
        public OptionalLong estimatedRows(Table table, KeyRange range) {
            OptionalLong rows = tables.estimatedRows(table, range);
            if (counts.size() < RowCounts.MOST) {
                counts.add(new RowCounts.Count(table, range, rows));
            }
            return rows;
        }

        @Override
        public Optional<View> view(String path) {
            Optional<View> view = tables.view(path);
            if (view.isPresent() && !takesDeepOnes && DeepTexts.isDeep(view.get().text())) {
                throw new DeepTexts.DeepInside();
            }
            view.ifPresent(v -> add(path, v));
            return view;
        }

        private void add(String path, View view) {
            if (views.putIfAbsent(path, view) == null) {
                memory.take(view.text());
            }
        }

        @Override
        public int tabletCount(Table table, KeyRange range) {
            return tables.tabletCount(table, range);
        }

        @Override
        public Set<Long> cells(Table table, KeyRange range) {
            return tables.cells(table, range);
        }
    }
}
