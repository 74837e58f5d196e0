package io.cleave.rpc;

import io.grpc.ServerMethodDefinition;

/// A method of a service, and whether its calls stay open for as long as a client likes.
record BoundMethod<Q, R>(ServerMethodDefinition<Q, R> definition, boolean isLong) {}
