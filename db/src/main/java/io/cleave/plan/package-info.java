/// Turns a typed tree into a plan: which key ranges are read, how tables are joined, and which
/// operators do the rest. Pure: this package never sees storage. It knows of tables only what
/// [io.cleave.schema.Tables] knows without reading them.
///
/// Planning starts at the typed tree and does not depend on a language: `query.Compiler` reads and
/// analyses a text first. Every rule has a name and can be left out ([io.cleave.plan.PlanRules]). A
/// plan gives the same rows with any set of rules. If assertions are on,
/// [io.cleave.plan.RelationCheck] and [io.cleave.plan.PlanCheck] check every step.
///
/// The conditions of a WHERE become key ranges in `KeyPredicates` and [io.cleave.plan.KeyRanges].
/// Package `plan.range` adds the ranges of generated key columns.
///
/// Begin with [io.cleave.plan.ProgramPlanner], which plans a whole text. Then read
/// [io.cleave.plan.Planner], which plans one relation, and [io.cleave.plan.PlanNode], which is the
/// result.
@NullMarked
package io.cleave.plan;

import org.jspecify.annotations.NullMarked;
