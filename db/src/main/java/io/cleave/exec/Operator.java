package io.cleave.exec;

import io.cleave.exec.spill.Rows;

/// A compiled node. It can be run any number of times and by any number of threads.
@FunctionalInterface
interface Operator {
    Rows open(Running run);
}
