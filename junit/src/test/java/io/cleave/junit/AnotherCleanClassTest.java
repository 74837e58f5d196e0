package io.cleave.junit;

/// See [CleanClass].
@CleaveTest
class AnotherCleanClassTest extends CleanClass {}
