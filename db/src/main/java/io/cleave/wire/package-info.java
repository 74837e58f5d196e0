/// YDB's gRPC services: requests in, replies out. The only package that names protobuf or gRPC.
@NullMarked
package io.cleave.wire;

import org.jspecify.annotations.NullMarked;
