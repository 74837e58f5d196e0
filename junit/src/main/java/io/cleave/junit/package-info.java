/// A server in the JVM of the tests, for JUnit 5 and for suites written for YDB's own test support.
///
/// Begin with [io.cleave.junit.CleaveTest]. All test classes of a run share one server for each
/// data location (memory or a folder), and each class starts with an empty database. Suites written
/// for `tech.ydb.test:ydb-junit5-support` only need this module on their class path: see
/// [io.cleave.junit.SwapListener].
///
/// Only features of JUnit 5.9 are used, so that a suite may use an older JUnit than this module was
/// built with.
@NullMarked
package io.cleave.junit;

import org.jspecify.annotations.NullMarked;
