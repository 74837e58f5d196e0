package io.cleave.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/// The rules that a planner applies. The rows of a query are the same with any set of rules. Tests
/// leave out some or all of them.
public record PlanRules(Set<Rule> rules) {
    public enum Rule {
        /// The terms of a WHERE on a table that restrict its key become key ranges.
        KEY_RANGES,
        /// Rows are not sorted if a scan gives them in the required order.
        SCAN_ORDER,
        /// Equalities of a WHERE between the sides of CROSS joins become keys of INNER joins.
        /// Between the sides of INNER joins, equalities over key columns of tables do, too.
        CROSS_JOINS,
        /// The terms of a WHERE above a join that read only one side move to that side. A value
        /// that such a term gives to a column is also given to the key column of the other side
        /// that the join makes equal to it.
        JOIN_FILTERS,
        /// A join looks up rows if its equalities, together with those of a WHERE, give values to a
        /// prefix of a table's key.
        LOOKUP_JOINS,
        /// The kind of a join depends on the estimated number of rows of its sides.
        JOIN_ROWS,
        /// Large sides that are sorted by the keys of a join are merged.
        MERGE_JOINS,
        /// INNER joins begin with the side that has the fewest rows.
        JOIN_ORDER,
        /// The parts of a scan keep no more rows than the LIMIT above it needs.
        PART_LIMITS
    }

    public static final PlanRules ALL = new PlanRules(EnumSet.allOf(Rule.class));
    public static final PlanRules NONE = new PlanRules(EnumSet.noneOf(Rule.class));

    public PlanRules {
        rules = Set.copyOf(rules);
    }

    /// All rules except these.
    public static PlanRules without(Rule... left) {
        Set<Rule> kept = EnumSet.allOf(Rule.class);
        kept.removeAll(Arrays.asList(left));
        return new PlanRules(kept);
    }

    boolean has(Rule rule) {
        return rules.contains(rule);
    }
}
