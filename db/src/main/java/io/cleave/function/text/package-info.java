/// Strings and bytes: built-ins such as SUBSTRING, and the modules `String`, `Unicode`, `Re2` and
/// related modules, `Url`, `Ip` and `Digest`.
///
/// A String holds bytes and a Utf8 holds text. A function declares which of them it takes, and
/// returns bytes that may not be valid UTF-8 only as a String. Long-running functions report their
/// steps to the run, so that a query can be interrupted. A regular expression with a constant
/// pattern is compiled once, and matching takes linear time.
///
/// LIKE and related operators are in `function.operator` and use the classes here.
///
/// Begin with [io.cleave.function.text.StringFunctions] for the built-ins and with
/// [io.cleave.function.text.StringModule] for a module.
@NullMarked
package io.cleave.function.text;

import org.jspecify.annotations.NullMarked;
