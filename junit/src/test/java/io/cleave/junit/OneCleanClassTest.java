package io.cleave.junit;

/// See [CleanClass].
@CleaveTest
class OneCleanClassTest extends CleanClass {}
