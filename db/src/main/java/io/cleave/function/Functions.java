package io.cleave.function;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.aggregate.HistogramModule;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Suggestion;
import io.cleave.function.container.ContainerFunctions;
import io.cleave.function.container.DictFunctions;
import io.cleave.function.container.ListFolds;
import io.cleave.function.container.ListFunctions;
import io.cleave.function.container.ListLambdaFunctions;
import io.cleave.function.container.ListTops;
import io.cleave.function.container.SetFunctions;
import io.cleave.function.container.StaticFunctions;
import io.cleave.function.container.StructFunctions;
import io.cleave.function.container.VariantFunctions;
import io.cleave.function.document.YsonModule;
import io.cleave.function.number.KnnModule;
import io.cleave.function.number.MathModule;
import io.cleave.function.number.NumberFunctions;
import io.cleave.function.text.DigestModule;
import io.cleave.function.text.IpModule;
import io.cleave.function.text.RegexModules;
import io.cleave.function.text.StringFunctions;
import io.cleave.function.text.StringModule;
import io.cleave.function.text.UnicodeModule;
import io.cleave.function.text.UrlModule;
import io.cleave.function.time.DateTimeModule;
import io.cleave.function.time.TzFunctions;
import io.cleave.typed.Errors;
import io.cleave.yql.Expression;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The registry of the function library: finds the implementation of a function by its name. Names
/// of built-ins ignore case and underscores. Names of modules and their functions ignore case.
public final class Functions {
    private static final Map<String, Registry.Resolver> BUILTINS;
    private static final Map<String, Registry.Resolver> MODULES;
    private static final Set<String> BUILTIN_NAMES;
    private static final Set<String> MODULE_NAMES = new TreeSet<>();
    private static final Set<String> REFUSED;

    /// The functions of modules, by their lower-case names.
    private static final Map<String, Registry.Resolver> OF_ANY_CASE = new HashMap<>();

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
        YtModule.register(registry);
        CoreFunctions.register(registry);
        CoreFunctions.passNull(registry);
        BUILTINS = Map.copyOf(registry.builtins());
        BUILTIN_NAMES = registry.names();
        MODULES = Map.copyOf(registry.modules());
        REFUSED = registry.refused();
        MODULES.forEach((name, known) -> OF_ANY_CASE.put(name.toLowerCase(Locale.ROOT), known));
        MODULES.keySet().forEach(name -> MODULE_NAMES.add(name.substring(0, name.indexOf(':'))));
    }

    private Functions() {}

    public static Registry.Resolver find(Position at, Optional<String> module, String name) {
        if (module.isEmpty()) {
            String plainName = Expression.Call.plain(name);
            Registry.Resolver builtin = BUILTINS.get(plainName);
            if (builtin == null) {
                String hint = ForeignFunctions.hint(plainName);
                throw new StatusException(
                        Status.GENERIC_ERROR,
                        "Unknown builtin: "
                                + name
                                + (hint.isEmpty() ? guess(name, BUILTIN_NAMES) : hint),
                        at);
            }
            return builtin;
        }
        Registry.Resolver function = MODULES.get(module.get() + "::" + name);
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

    /// Whether the function is known but not supported. The name of a module function is
    /// `Module::Function`.
    static boolean isRefused(String name) {
        return REFUSED.contains(name.contains("::") ? name : Expression.Call.plain(name));
    }

    private static String guess(String name, Collection<String> names) {
        String suggestion = Suggestion.of(name, names);
        return suggestion.isEmpty() ? "" : "." + suggestion;
    }
}
