/// YQL text to a syntax tree. Pure: knows no table and no type beyond its name.
///
/// Begin with [io.cleave.yql.Parser]; the grammar is `Yql.g4` and `YqlLexer.g4`. A new construct is
/// a rule there, a record in [io.cleave.yql.Statement], [io.cleave.yql.Query] or
/// [io.cleave.yql.Expression], a line in the builder of that part, and a text test.
@NullMarked
package io.cleave.yql;

import org.jspecify.annotations.NullMarked;
