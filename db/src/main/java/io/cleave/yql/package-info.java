/// Parses YQL text into a syntax tree. It is pure: it knows no tables, and of types only their
/// names.
///
/// The grammar is in `Yql.g4` and `YqlLexer.g4`, from which ANTLR generates the lexer and the
/// parser. The builders turn the parse tree into records. Every error in a text is reported with
/// its position. The depth of a text is limited, so that no text can overflow the stack.
///
/// To add a construct: write a rule in the grammar, a record in [io.cleave.yql.Statement],
/// [io.cleave.yql.Query] or [io.cleave.yql.Expression], a line in the builder of that part, and a
/// text test.
///
/// Begin with [io.cleave.yql.Parser].
@NullMarked
package io.cleave.yql;

import org.jspecify.annotations.NullMarked;
