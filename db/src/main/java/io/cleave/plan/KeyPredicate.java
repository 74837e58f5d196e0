package io.cleave.plan;

import io.cleave.plan.range.RangeInference;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;

import java.util.List;

/// The condition on a table's key that follows from a WHERE. Its values are known when the query
/// runs. It is true for every row for which the WHERE is true, and perhaps for more rows.
///
/// `keyColumn` is the index of a column in the primary key, from 0.
public sealed interface KeyPredicate {
    KeyPredicate ANY = new Any();
    KeyPredicate NEVER = new Never();

    /// No condition.
    record Any() implements KeyPredicate {}

    /// No key at all.
    record Never() implements KeyPredicate {}

    record Compare(int keyColumn, Comparison comparison, Typed value) implements KeyPredicate {}

    /// The comparison is true or NULL. If the value is NULL, this is no condition.
    record CompareOrNull(int keyColumn, Comparison comparison, Typed value)
            implements KeyPredicate {}

    /// The column is equal to an item of a List or Tuple, or to a key of a Dict.
    record OneOf(int keyColumn, Typed collection) implements KeyPredicate {}

    /// The columns are, item by item, equal to one of the tuples of the collection.
    record OneOfTuples(List<Integer> keyColumns, Typed collection) implements KeyPredicate {
        public OneOfTuples {
            keyColumns = List.copyOf(keyColumns);
        }
    }

    record IsNull(int keyColumn) implements KeyPredicate {}

    record IsNotNull(int keyColumn) implements KeyPredicate {}

    /// A condition on a table with generated key columns, whose values follow from other columns.
    /// Only at the top level.
    ///
    /// @param limit the maximum number of ranges, roughly
    record Inferring(RangeInference inference, long limit, KeyPredicate of)
            implements KeyPredicate {
        List<GeneratedColumn> generated() {
            return inference.generated();
        }
    }

    record And(List<KeyPredicate> terms) implements KeyPredicate {
        public And {
            terms = List.copyOf(terms);
        }
    }

    record Or(List<KeyPredicate> terms) implements KeyPredicate {
        public Or {
            terms = List.copyOf(terms);
        }
    }
}
