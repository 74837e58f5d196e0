/// What the ports of a node have in common, whatever the protocol: Netty's threads, a listening
/// channel, and the key by which connections of one client are counted. `rpc` and `http` build
/// their servers on it.
///
/// What always holds:
///
/// - A port has its own threads. When they are stopped, every connection of the port ends.
/// - The connections of `rpc` use at most half of the files that the process may open
///   ([OpenFileLimit]), so that the server can still open its own files.
/// - Limits count a client by its [PeerAddress].
///
/// Begin with [ListeningPort].
@NullMarked
package io.cleave.net;

import org.jspecify.annotations.NullMarked;
