/// gRPC calls over HTTP/2, on Netty's channels. This package replaces only the server transport of
/// gRPC: services are bound as `io.grpc.ServerServiceDefinition`, and calls are
/// `io.grpc.ServerCall`. It knows nothing of databases.
///
/// Every connection belongs to one thread, which reads its frames and runs its handlers. Handlers
/// must not block that thread. Everything that a client can make the server keep is limited:
/// connections, calls, headers, messages, and replies that the client does not read.
///
/// `docs/rpc.md` says which parts of the two protocols are supported, and `docs/decisions/0017` why
/// this package exists.
///
/// Begin with [RpcServer], then `FrameReader`, which reads frames, [Connection], which handles
/// them, and [RpcCall], which is one stream.
@NullMarked
package io.cleave.rpc;

import org.jspecify.annotations.NullMarked;
