package io.cleave.exec;

/// A node ready to run, any number of times and by any number of threads.
@FunctionalInterface
interface Operator {
    Rows open(Running run);
}
