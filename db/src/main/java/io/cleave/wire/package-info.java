/// YDB's gRPC services: requests in, replies out. The only package that names protobuf, and with
/// `rpc` below it the only one that names gRPC.
@NullMarked
package io.cleave.wire;

import org.jspecify.annotations.NullMarked;
