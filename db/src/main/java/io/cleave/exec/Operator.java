package io.cleave.exec;

/// A compiled node. It can be run any number of times and by any number of threads.
@FunctionalInterface
interface Operator {
    Rows open(Running run);
}
