package io.cleave.plan;

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

    /// No condition.
    record Any() implements KeyPredicate {}

    record Compare(int keyColumn, Comparison comparison, Typed value) implements KeyPredicate {}

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
    record Inferring(List<GeneratedColumn> generated, KeyPredicate of) implements KeyPredicate {
        public Inferring {
            generated = List.copyOf(generated);
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
