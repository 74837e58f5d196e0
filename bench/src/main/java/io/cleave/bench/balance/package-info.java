/// The benchmark of YTsaurus' balancer. The plans alone need no server.
///
/// Begin with [BalanceBenchmark].
@NullMarked
package io.cleave.bench.balance;

import org.jspecify.annotations.NullMarked;
