package io.cleave.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.cleave.base.Env;
import io.cleave.cluster.Scheme;
import io.cleave.exec.PointSelect;
import io.cleave.plan.CompileOptions;
import io.cleave.plan.Compiler;
import io.cleave.plan.Program;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.schema.View;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Compiles texts, and keeps what it compiled as long as every table still stands where it was
/// found, unchanged, and has about as many rows as the plan was chosen for. Scheme statements are
/// compiled anew each time.
final class PlanCache {
    /// What all programs may take, by [#bytes].
    static final long MAX_BYTES = 64L << 20;

    /// A longer text was made by a program that will hardly send it again.
    static final int MAX_TEXT_CHARS = 64 * 1024;

    private static final int PROGRAM_BYTES = 16 << 10;
    private static final int BYTES_PER_CHAR = 128;

    private final Env env;
    private final String database;
    private final Scheme tables;
    private final Compiler compiler = new Compiler();
    private final AtomicLong compiledCount = new AtomicLong();

    /// Runs its upkeep on the threads of its callers.
    private final Cache<QueryText, Compiled> programs;

    /// All programs together take no more than `mostBytes`, or than [#MAX_BYTES].
    PlanCache(Env env, String database, Scheme tables, long mostBytes) {
        programs =
                Caffeine.newBuilder()
                        .maximumWeight(Math.min(mostBytes, MAX_BYTES))
                        .weigher((QueryText text, Compiled _) -> bytes(text))
                        .executor(Runnable::run)
                        .build();
        this.env = env;
        this.database = database;
        this.tables = tables;
    }

    /// About what a program takes on the heap: trees of objects for every word, once as a plan and
    /// once as operators.
    private static int bytes(QueryText text) {
        return PROGRAM_BYTES + BYTES_PER_CHAR * text.text().length();
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

    /// What all programs take, about.
    long bytes() {
        return programs.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    /// All that is kept, current or not.
    Map<QueryText, Compiled> kept() {
        return Map.copyOf(programs.asMap());
    }

    Compiled compile(QueryText text) {
        return find(text).orElseGet(() -> compileNew(text));
    }

    /// The tables as the text names them.
    Tables tables(QueryText text) {
        return new SessionTables(tables, text.temporaries());
    }

    private Compiled compileNew(QueryText text) {
        Compiled compiled = compileOnce(text, tables(text));
        if (compiled.program().kind() != Program.Kind.SCHEME
                && text.text().length() <= MAX_TEXT_CHARS) {
            programs.put(text, compiled.asCached());
        }
        return compiled;
    }

    /// Compiles against these tables, and keeps nothing.
    Compiled compileOnce(QueryText text, Tables against) {
        long start = env.nanoTime();
        long changes = tables.changes();
        Recording seen = new Recording(against);
        Program program = program(text, seen);
        long micros = (env.nanoTime() - start) / 1000;
        return new Compiled(
                program,
                seen.found.values().stream()
                        .map(t -> new Compiled.TableAt(t.path(), t.id(), t.version()))
                        .toList(),
                List.copyOf(seen.views.values()),
                false,
                micros,
                new Compiled.Origin(compiledCount.incrementAndGet(), env.wallMicros(), micros),
                new Compiled.LastLook(changes),
                new RowCounts(env, seen.counts),
                new Brevity(),
                new QueryMeter(text.text()),
                PointSelect.of(program)
                        .filter(point -> !SystemViews.holds(point.columns().table())));
    }

    private Program program(QueryText text, Recording seen) {
        if (!DeepTexts.isDeep(text.text())) {
            try {
                return programHere(text, seen);
            } catch (DeepTexts.DeepInside _) {
                // On a large stack, then.
            }
        }
        seen.takesDeepOnes = true;
        return DeepTexts.onLargeStack(env, () -> programHere(text, seen));
    }

    private Program programHere(QueryText text, Recording seen) {
        return compiler.compile(
                text.text(), text.sentTypes(), new CompileOptions(database, text.dialect()), seen);
    }

    /// Whether every table and view is still the one it was compiled against, and the plan the one
    /// that would be chosen.
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

    /// Remembers which tables and views the compiler asked for, and how many rows they had.
    private static final class Recording implements Tables {
        private final Tables tables;
        private final Map<String, Table> found = new LinkedHashMap<>();
        private final Map<String, View> views = new LinkedHashMap<>();
        private final List<RowCounts.Count> counts = new ArrayList<>();
        private boolean takesDeepOnes;

        Recording(Tables tables) {
            this.tables = tables;
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
            view.ifPresent(v -> views.putIfAbsent(path, v));
            return view;
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
