package io.cleave.function.call;

import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/// Collects the functions of the library. Each class of functions registers its functions here.
public final class Registry {
    /// Resolves a call of one function.
    @FunctionalInterface
    public interface Resolver {
        Typed resolve(FunctionCall call);
    }

    /// Converts an argument of a call.
    @FunctionalInterface
    public interface Parameter {
        Typed take(FunctionCall call, int index);

        static Parameter of(Type type) {
            return (call, index) -> call.as(index, type);
        }
    }

    private final Map<String, Resolver> builtins = new HashMap<>();
    private final Map<String, Resolver> modules = new HashMap<>();
    private final Set<String> names = new TreeSet<>();
    private final Set<String> refused = new TreeSet<>();

    public void add(String name, Resolver resolver) {
        builtins.put(Expression.Call.plain(name), resolver);
        names.add(name);
    }

    /// Adds a module function, such as `String::Contains`.
    public void add(String module, String name, Resolver resolver) {
        modules.put(module + "::" + name, resolver);
    }

    /// Registers a function that YDB has and Cleave does not support.
    public void refuse(String name) {
        add(name, call -> unsupported(call, name));
        refused.add(Expression.Call.plain(name));
    }

    public void refuse(String module, String name) {
        String whole = module + "::" + name;
        add(module, name, call -> unsupported(call, whole));
        refused.add(whole);
    }

    private static Typed unsupported(FunctionCall call, String name) {
        throw Errors.unsupported(call.at(), name);
    }

    /// Adds a module function that returns NULL if an argument is NULL.
    public void addStrict(
            String module,
            String name,
            Type result,
            List<Parameter> parameters,
            ScalarFunction.Body body) {
        add(module, name, call -> call.strict(result, take(call, parameters), body));
    }

    /// Like `addStrict`, for a function that may take long.
    public void addStrictLong(
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

    /// Replaces the resolver of each built-in.
    public void replaceBuiltins(BiFunction<String, Resolver, Resolver> replacement) {
        builtins.replaceAll(replacement);
    }

    /// The built-ins by their plain names: lower case, without underscores.
    public Map<String, Resolver> builtins() {
        return builtins;
    }

    /// The module functions by their full names, such as `String::Contains`.
    public Map<String, Resolver> modules() {
        return modules;
    }

    /// The names of the built-ins in their original spelling.
    public Set<String> names() {
        return names;
    }

    /// The functions that are known but not supported.
    public Set<String> refused() {
        return refused;
    }
}
