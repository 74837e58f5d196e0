package io.cleave.function;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.yt.YtHashFunctions;
import io.cleave.function.yt.YtType;
import io.cleave.function.yt.YtTypes;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// The module `Yt`: functions that compute what YTsaurus' functions compute, so that both languages
/// write the same keys.
final class YtModule {
    private static final String MODULE = "Yt";

    private YtModule() {}

    static void register(Registry registry) {
        registry.add(MODULE, "FarmHash", YtModule::farmHash);
        registry.addStrict(
                MODULE,
                "BigbHash",
                Primitive.UINT64,
                List.of(Registry.Parameter.of(Primitive.STRING)),
                a -> YtHashFunctions.bigbHash(a[0]));
    }

    /// The result is never NULL, because NULL has a hash.
    private static Typed farmHash(FunctionCall call) {
        if (call.count() == 0) {
            throw call.error(call.name() + " requires at least 1 argument, given: 0");
        }
        var arguments = new ArrayList<Typed>();
        for (int index = 0; index < call.count(); index++) {
            arguments.add(argument(call, index));
        }
        return YtHashFunctions.farmHash(arguments);
    }

    private static Typed argument(FunctionCall call, int index) {
        Typed value = call.value(index);
        Type type = value.type().unwrapped();
        if (type == Type.Unit.NULL) {
            return new Typed.Constant(Primitive.INT64.optional(), Value.Null.NULL);
        }
        boolean hashed =
                type instanceof Primitive
                        && switch (YtType.of(type)) {
                            case INT64, UINT64, BOOLEAN, STRING -> true;
                            case NULL, DOUBLE, ANY -> false;
                        };
        if (!hashed) {
            throw call.error(
                    "Expected an integer, a date, a Bool or a string as argument %d of %s, but got: %s"
                            .formatted(index + 1, call.name(), value.type().text()));
        }
        return YtTypes.widened(value);
    }
}
