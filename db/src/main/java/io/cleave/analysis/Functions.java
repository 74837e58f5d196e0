package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The index of the function library: which family answers which name. Names of built-ins are the
/// same in any case and with or without underscores, those of modules and their functions in any
/// case.
final class Functions {
    /// Gives a call of one function its type and its work.
    @FunctionalInterface
    interface Resolver {
        Typed resolve(FunctionCall call);
    }

    /// How an argument is taken up.
    @FunctionalInterface
    interface Parameter {
        Typed take(FunctionCall call, int index);

        static Parameter of(Type type) {
            return (call, index) -> call.as(index, type);
        }
    }

    /// Where families put their functions.
    static final class Registry {
        private final Map<String, Resolver> builtins = new HashMap<>();
        private final Map<String, Resolver> modules = new HashMap<>();
        private final Set<String> names = new TreeSet<>();
        private final Set<String> refused = new TreeSet<>();

        void add(String name, Resolver resolver) {
            builtins.put(Expression.Call.plain(name), resolver);
            names.add(name);
        }

        /// A function of a module, as `String::Contains`.
        void add(String module, String name, Resolver resolver) {
            modules.put(module + "::" + name, resolver);
        }

        /// A function that YDB has and Cleave has not.
        void refuse(String name) {
            add(name, call -> unsupported(call, name));
            refused.add(Expression.Call.plain(name));
        }

        void refuse(String module, String name) {
            String whole = module + "::" + name;
            add(module, name, call -> unsupported(call, whole));
            refused.add(whole);
        }

        private static Typed unsupported(FunctionCall call, String name) {
            throw Errors.unsupported(call.at(), name);
        }

        /// A function of a module that is NULL when one of its arguments is.
        void addStrict(
                String module,
                String name,
                Type result,
                List<Parameter> parameters,
                ScalarFunction.Body body) {
            add(module, name, call -> call.strict(result, take(call, parameters), body));
        }

        /// The same of what may take long.
        void addStrictLong(
                String module,
                String name,
                Type result,
                List<Parameter> parameters,
                ScalarFunction.RunBody body) {
            add(module, name, call -> call.strictLong(result, take(call, parameters), body));
        }

        private static List<Typed> take(FunctionCall call, List<Parameter> parameters) {
            call.expect(parameters.size());
            var arguments = new ArrayList<Typed>();
            for (Parameter parameter : parameters) {
                arguments.add(parameter.take(call, arguments.size()));
            }
            return arguments;
        }
    }

    private static final Map<String, Resolver> BUILTINS;
    private static final Map<String, Resolver> MODULES;
    private static final Set<String> BUILTIN_NAMES;
    private static final Set<String> MODULE_NAMES = new TreeSet<>();
    private static final Set<String> REFUSED;

    /// The functions of modules by their names in lower case.
    private static final Map<String, Resolver> OF_ANY_CASE = new HashMap<>();

    static {
        var registry = new Registry();
        Constructors.register(registry);
        NullFunctions.register(registry);
        StringFunctions.register(registry);
        NumberFunctions.register(registry);
        RunFunctions.register(registry);
        ContainerFunctions.register(registry);
        TypeFunctions.register(registry);
        CodeFunctions.register(registry);
        StructFunctions.register(registry);
        StaticFunctions.register(registry);
        SetFunctions.register(registry);
        TzFunctions.register(registry);
        VariantFunctions.register(registry);
        ListFunctions.register(registry);
        ListLambdaFunctions.register(registry);
        ListFolds.register(registry);
        ListTops.register(registry);
        DictFunctions.register(registry);
        StringModule.register(registry);
        UnicodeModule.register(registry);
        DateTimeModule.register(registry);
        MathModule.register(registry);
        DigestModule.register(registry);
        RegexModules.register(registry);
        UrlModule.register(registry);
        IpModule.register(registry);
        YsonModule.register(registry);
        KnnModule.register(registry);
        HistogramModule.register(registry);
        CoreFunctions.register(registry);
        CoreFunctions.passNull(registry.builtins);
        BUILTINS = Map.copyOf(registry.builtins);
        BUILTIN_NAMES = registry.names;
        MODULES = Map.copyOf(registry.modules);
        REFUSED = registry.refused;
        MODULES.forEach((name, known) -> OF_ANY_CASE.put(name.toLowerCase(Locale.ROOT), known));
        MODULES.keySet().forEach(name -> MODULE_NAMES.add(name.substring(0, name.indexOf(':'))));
    }

    private Functions() {}

    static Resolver find(Position at, Optional<String> module, String name) {
        if (module.isEmpty()) {
            String plainName = Expression.Call.plain(name);
            Resolver builtin = BUILTINS.get(plainName);
            if (builtin == null) {
                String hint = ForeignFunctions.hint(plainName);
                throw AnalysisContext.error(
                        at,
                        "Unknown builtin: "
                                + name
                                + (hint.isEmpty() ? guess(name, BUILTIN_NAMES) : hint));
            }
            return builtin;
        }
        Resolver function = MODULES.get(module.get() + "::" + name);
        if (function == null) {
            function = OF_ANY_CASE.get((module.get() + "::" + name).toLowerCase(Locale.ROOT));
        }
        if (function == null && module.get().equalsIgnoreCase(CoreFunctions.MODULE)) {
            function = BUILTINS.get(Expression.Call.plain(name));
            if (function == null) {
                throw Errors.unsupported(at, "YQL::" + name);
            }
        }
        if (function == null && !MODULE_NAMES.contains(module.get())) {
            throw Errors.type(
                    at, "Module not found: " + module.get() + guess(module.get(), MODULE_NAMES));
        }
        if (function == null) {
            String prefix = module.get() + "::";
            List<String> siblings =
                    MODULES.keySet().stream()
                            .filter(known -> known.startsWith(prefix))
                            .map(known -> known.substring(prefix.length()))
                            .sorted()
                            .toList();
            throw Errors.type(
                    at, "Function not found: " + module.get() + "." + name + guess(name, siblings));
        }
        return function;
    }

    /// Whether it is one of those that are known by name only; `Module::Function` of a module.
    static boolean isRefused(String name) {
        return REFUSED.contains(name.contains("::") ? name : Expression.Call.plain(name));
    }

    private static String guess(String name, Collection<String> names) {
        String suggestion = Suggestion.of(name, names);
        return suggestion.isEmpty() ? "" : "." + suggestion;
    }
}
