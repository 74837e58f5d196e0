/// What a server does while clients attack it. [io.cleave.bench.abuse.AbuseBenchmark] starts a
/// server, runs a [io.cleave.bench.abuse.GoodClient] against it, and starts one
/// [io.cleave.bench.abuse.Attack] after the other, each in its own process.
///
/// Begin with [io.cleave.bench.abuse.AbuseBenchmark].
///
/// All clients here implement HTTP/2 themselves ([io.cleave.bench.abuse.Http2Connection]), because
/// no library sends what an attacker sends. All addresses are those of the local machine.
@NullMarked
package io.cleave.bench.abuse;

import org.jspecify.annotations.NullMarked;
