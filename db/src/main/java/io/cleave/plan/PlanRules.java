package io.cleave.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/// Which rules a planner applies. The rows are the same whichever it does; tests leave some out, or
/// all.
public record PlanRules(Set<Rule> rules) {
    public enum Rule {
        /// The terms of a WHERE on a table that say something of its key become key ranges.
        KEY_RANGES,
        /// What a scan gives in the wanted order is not sorted.
        SCAN_ORDER,
        /// Equalities of a WHERE between the sides of CROSS joins become keys of INNER ones, and
        /// those between the sides of INNER joins that are about columns of a key.
        CROSS_JOINS,
        /// The terms of a WHERE above a join that read one side go to that side, and a value that
        /// they give to a column goes to the key column of the other side that is equal to it.
        JOIN_FILTERS,
        /// A join that gives values to a prefix of a table's key, with those of a WHERE, looks rows
        /// up.
        LOOKUP_JOINS,
        /// What a join does depends on how many rows its sides have.
        JOIN_ROWS,
        /// Large sides that come in the order of a join's keys are merged.
        MERGE_JOINS,
        /// INNER joins begin with the side that has the fewest rows.
        JOIN_ORDER,
        /// The parts of a scan keep no more rows than the LIMIT above it asks for.
        PART_LIMITS
    }

    public static final PlanRules ALL = new PlanRules(EnumSet.allOf(Rule.class));
    public static final PlanRules NONE = new PlanRules(EnumSet.noneOf(Rule.class));

    public PlanRules {
        rules = Set.copyOf(rules);
    }

    /// All but these.
    public static PlanRules without(Rule... left) {
        Set<Rule> kept = EnumSet.allOf(Rule.class);
        kept.removeAll(Arrays.asList(left));
        return new PlanRules(kept);
    }

    boolean has(Rule rule) {
        return rules.contains(rule);
    }
}
