/// gRPC calls over HTTP/2, on Netty's channels. It takes the place of gRPC's own server transport,
/// and of nothing else: services are bound as `io.grpc.ServerServiceDefinition`, and calls are
/// `io.grpc.ServerCall`. `docs/rpc.md` says what is there of the two protocols, and
/// `docs/decisions/0017` why.
///
/// Begin with [RpcServer], then [Connection], which reads frames, and [RpcCall], which is one
/// stream.
@NullMarked
package io.cleave.rpc;

import org.jspecify.annotations.NullMarked;
