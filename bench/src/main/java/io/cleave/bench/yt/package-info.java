/// The benchmark of YTsaurus' API: server CPU of rows, queries and the tree over HTTP, beside a
/// bare echo on the same transport and beside gRPC.
///
/// Begin with [YtBenchmark].
@NullMarked
package io.cleave.bench.yt;

import org.jspecify.annotations.NullMarked;
