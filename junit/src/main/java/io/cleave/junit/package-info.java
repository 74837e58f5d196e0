/// A server in the test's JVM, for JUnit 5 and for suites written for YDB's own test support.
@NullMarked
package io.cleave.junit;

import org.jspecify.annotations.NullMarked;
