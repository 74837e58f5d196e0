package io.cleave.function.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// What functions make of NULL.
class YtNullsTest {
    /// These functions are refused, or say something else about NULL than NULL. The text tests show
    /// what.
    private static final Set<String> OTHERWISE =
            Set.of(
                    "is_null",
                    "is_nan",
                    "farm_hash",
                    "greatest",
                    "make_list",
                    "make_map",
                    "regex_full_match",
                    "regex_partial_match",
                    "sleep");

    @Test
    void everyOtherFunctionOfNullIsNull() {
        int checked = 0;
        for (YtFunction function : YtFunctions.scalars().values()) {
            int count =
                    function.signature().arguments().size()
                            + (function.signature().repeated() == null ? 0 : 2);
            if (OTHERWISE.contains(function.name()) || count == 0) {
                continue;
            }
            var arguments = new ArrayList<UntypedExpression>();
            var types = new ArrayList<Type>();
            for (int index = 0; index < count; index++) {
                Type type = firstType(function, index).optional();
                types.add(type);
                arguments.add(UntypedExpression.of(new Typed.Input(type, index)));
            }
            UntypedExpression call = YtFunctions.call(function.name(), arguments, "");
            Typed typed = call.typed();
            assertThat(typed.type().isOptional()).as(function.name()).isTrue();
            var row = new Value[count];
            Arrays.fill(row, Value.Null.NULL);
            assertThat(YtEvaluation.value(typed, types, row))
                    .as(function.name())
                    .isEqualTo(Value.Null.NULL);
            checked++;
        }
        assertThat(checked).isGreaterThanOrEqualTo(100);
    }

    private static Type firstType(YtFunction function, int index) {
        List<Signature.Place> places = function.signature().arguments();
        Signature.Place place =
                index < places.size() ? places.get(index) : function.signature().repeated();
        return place.types().stream()
                .filter(type -> type != YtType.NULL)
                .findFirst()
                .orElseThrow()
                .type();
    }

    @Test
    void everyAggregateOfNothingButNullHasAResult() {
        for (String name : YtAggregates.names()) {
            if (name.equals("xdelta")) {
                continue;
            }
            YtAggregate aggregate = YtAggregates.find(name).orElseThrow();
            var arguments = new ArrayList<UntypedExpression>();
            int count =
                    aggregate.signature().arguments().size()
                            + (aggregate.signature().repeated() == null ? 0 : 1);
            for (int index = 0; index < count; index++) {
                arguments.add(UntypedExpression.nullLiteral());
            }
            var call = YtFunctions.aggregate(name, arguments, "");
            var accumulator = call.as(call.types().iterator().next()).function().begin();
            var row = new Value[count];
            Arrays.fill(row, Value.Null.NULL);
            accumulator.add(row);
            accumulator.add(row);
            Value result = accumulator.result();
            boolean counts =
                    name.startsWith("hll") || name.startsWith("card") || name.startsWith("uniq");
            boolean list = name.equals("array_agg");
            assertThat(result.isNull()).as(name).isEqualTo(!counts && !list);
        }
    }
}
