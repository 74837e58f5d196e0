/// What the ports of a node have in common, whatever the protocol: Netty's threads, a listening
/// channel, and the key by which connections of one client are counted.
///
/// Begin with [ListeningPort].
@NullMarked
package io.cleave.net;

import org.jspecify.annotations.NullMarked;
