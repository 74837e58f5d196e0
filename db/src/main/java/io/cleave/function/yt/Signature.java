package io.cleave.function.yt;

import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtError;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The types of a function's arguments and of its result. Each place has a set of possible types.
/// Places with the same type parameter have the same set. `repeated` is the type of all arguments
/// after the listed ones; null if no more arguments are allowed.
record Signature(Place result, List<Place> arguments, @Nullable Place repeated) {
    /// The types that a place may have. Places with the same `parameter` have the same type; 0
    /// means that the place has a type of its own.
    record Place(Set<YtType> types, int parameter) {}

    Signature {
        arguments = List.copyOf(arguments);
    }

    static Signature of(Place result, Place... arguments) {
        return new Signature(result, List.of(arguments), null);
    }

    static Place one(YtType type) {
        return new Place(EnumSet.of(type), 0);
    }

    static Place oneOf(YtType... types) {
        return new Place(EnumSet.copyOf(List.of(types)), 0);
    }

    /// A type parameter; `number` is 1 or more.
    static Place parameter(int number, Set<YtType> types) {
        return new Place(types, number);
    }

    static Place anything(int number) {
        return new Place(EnumSet.allOf(YtType.class), number);
    }

    /// What is known of the types of one call.
    record Call(Signature signature, List<Set<YtType>> arguments, Set<YtType> result) {
        /// The types of the arguments if the result has the given type.
        List<YtType> argumentTypes(YtType resultType) {
            var types = new ArrayList<YtType>();
            for (int index = 0; index < arguments.size(); index++) {
                Place place = signature.place(index);
                boolean same =
                        place.parameter() != 0 && place.parameter() == signature.result.parameter();
                types.add(same ? resultType : arguments.get(index).iterator().next());
            }
            return types;
        }
    }

    /// Finds the possible types of a call. Throws if an argument cannot have the type of its place.
    Call resolve(String name, List<Set<YtType>> given, String source) {
        if (given.size() < arguments.size()
                || (given.size() > arguments.size() && repeated == null)) {
            throw noMatch(name)
                    .with("expected_arguments", new YsonNode.Int64(arguments.size()))
                    .with("actual_arguments", new YsonNode.Int64(given.size()))
                    .with("expression", source)
                    .exception();
        }
        Map<Integer, Set<YtType>> parameters = new HashMap<>();
        var sets = new ArrayList<Set<YtType>>();
        for (int index = 0; index < given.size(); index++) {
            Set<YtType> types = set(place(index), parameters);
            if (!unify(types, given.get(index))) {
                throw mismatch(name, index, types, given.get(index))
                        .with("expression", source)
                        .exception();
            }
            sets.add(types);
        }
        return new Call(this, sets, set(result, parameters));
    }

    private YtError mismatch(String name, int index, Set<YtType> expected, Set<YtType> actual) {
        if (index >= arguments.size()) {
            return YtQueryErrors.error(
                    "Wrong type for repeated argument to function \"%s\": expected \"%s\", got \"%s\""
                            .formatted(name, YtType.text(expected), YtType.text(actual)));
        }
        return noMatch(name)
                .with("argument_index", new YsonNode.Int64(index + 1))
                .with("expected_type", YtType.text(expected))
                .with("actual_type", YtType.text(actual));
    }

    private static YtError noMatch(String name) {
        return YtQueryErrors.error("No matching function \"" + name + "\"");
    }

    private Place place(int index) {
        return index < arguments.size() || repeated == null ? arguments.get(index) : repeated;
    }

    private static Set<YtType> set(Place place, Map<Integer, Set<YtType>> parameters) {
        return place.parameter() == 0
                ? EnumSet.copyOf(place.types())
                : parameters.computeIfAbsent(place.parameter(), _ -> EnumSet.copyOf(place.types()));
    }

    /// Removes from `types` all types that are not in `others`. If no type would be left, returns
    /// false and changes nothing.
    static boolean unify(Set<YtType> types, Set<YtType> others) {
        if (types.stream().noneMatch(others::contains)) {
            return false;
        }
        types.retainAll(others);
        return true;
    }
}
