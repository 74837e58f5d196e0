/// A server in the test's JVM, for JUnit 5 and for suites written for YDB's own test support.
///
/// Begin with [io.cleave.junit.CleaveTest]. All test classes of a run share one server for each
/// place of its data (in memory, or a folder), and each class finds the database empty. Suites
/// written for `tech.ydb.test:ydb-junit5-support` need nothing but this module on their class path:
/// [io.cleave.junit.SwapListener].
///
/// Only what JUnit 5.9 has is used, so that a suite need not be on the JUnit this was built with.
@NullMarked
package io.cleave.junit;

import org.jspecify.annotations.NullMarked;
