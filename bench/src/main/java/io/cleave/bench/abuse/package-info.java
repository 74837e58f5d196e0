/// What a server does while clients attack it. [io.cleave.bench.abuse.AbuseBenchmark] starts a
/// server, lets a [io.cleave.bench.abuse.GoodClient] ask it, and starts one
/// [io.cleave.bench.abuse.Attack] after the other in processes of their own.
///
/// Everything here speaks HTTP/2 by hand ([io.cleave.bench.abuse.Http2Connection]), because no
/// library sends what an attacker sends. All addresses are those of the machine itself.
@NullMarked
package io.cleave.bench.abuse;

import org.jspecify.annotations.NullMarked;
