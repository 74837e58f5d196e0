/// YDB's gRPC services: requests in, replies out. Each class ending in `Service` is one of YDB's
/// services; the others convert between protobuf messages and the values of the packages below.
///
/// What always holds:
/// - This is the only package that uses protobuf. Only this package and `rpc` below it use gRPC.
/// - A handler runs on the connection's thread, which serves other calls too. `Requests` moves
///   whatever may wait to a virtual thread.
/// - Exceptions become statuses in one place, `Failure`.
/// - A field of a request is honoured, refused by name, or listed as harmless in
///   `RequestFieldLists`. No field is ignored silently.
/// - Results that wait for their clients take their memory from a shared pool.
///
/// Begin with [io.cleave.wire.GrpcServer], then `QueryService` and `QueryExecution`, which run
/// queries.
@NullMarked
package io.cleave.wire;

import org.jspecify.annotations.NullMarked;
