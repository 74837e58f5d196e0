/// Lists, dicts, sets, tuples, structs and variants: constructors such as AsList, access to members
/// and items, and functions such as ListMap and DictLookup.
///
/// Each type has one representation: a list, tuple or struct is `Value.Items`, a dict or set is
/// `Value.Pairs`. A function that creates many items from few, such as ListFromRange, asks the run
/// first ([io.cleave.typed.ScalarFunction.Run#keep]). The size of every value is limited
/// ([io.cleave.typed.ValueSizes]). Lambdas are called item by item and report their own steps to
/// the run.
///
/// [io.cleave.function.container.StaticFunctions] has the functions that split a struct or tuple at
/// compile time and not at run time.
///
/// Begin with [io.cleave.function.container.Items], literals and members; then
/// [io.cleave.function.container.ListFunctions].
@NullMarked
package io.cleave.function.container;

import org.jspecify.annotations.NullMarked;
