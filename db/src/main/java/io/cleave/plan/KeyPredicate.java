package io.cleave.plan;

import io.cleave.analysis.GeneratedColumn;
import io.cleave.analysis.Typed;
import io.cleave.analysis.Typed.Comparison;

import java.util.List;

/// What a WHERE says of a table's key, with values that are known when the query runs. True for
/// every row for which the WHERE is true, and perhaps for more.
///
/// `keyColumn` counts the columns of the primary key from 0.
public sealed interface KeyPredicate {
    KeyPredicate ANY = new Any();

    /// Nothing is said.
    record Any() implements KeyPredicate {}

    record Compare(int keyColumn, Comparison comparison, Typed value) implements KeyPredicate {}

    /// The column is one of the items of a List or Tuple, or of the keys of a Dict.
    record OneOf(int keyColumn, Typed collection) implements KeyPredicate {}

    /// The columns are, item by item, one of the tuples of the collection.
    record OneOfTuples(List<Integer> keyColumns, Typed collection) implements KeyPredicate {
        public OneOfTuples {
            keyColumns = List.copyOf(keyColumns);
        }
    }

    record IsNull(int keyColumn) implements KeyPredicate {}

    record IsNotNull(int keyColumn) implements KeyPredicate {}

    /// The same of a table some of whose key columns follow from others. Stands only at the top.
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
