/// HTTP/1.1 for every front end that speaks it: Netty's codec, with bounds on everything that a
/// client can make large or slow. It knows no database. `docs/http.md` has the limits and the
/// statuses.
///
/// What always holds:
/// - Routes that are [HttpRoutes#immediate] or [HttpRoutes#shared] (health, metrics) are answered
///   whatever other requests do: they take no slot, and when connections are at their bound an old
///   unfinished one is closed for a new one.
/// - A connection has one request at a time. Bytes of the next one are not looked at before the
///   answer to this one is sent.
/// - [RequestGrammar] sees every byte before Netty's decoder does, and refuses whatever two readers
///   could understand differently.
/// - Handlers run on virtual threads, and never on the threads of the network.
///
/// Begin with [HttpServer], then [HttpConnection], which is one connection, and [RequestCheck],
/// which says what is wrong with a request.
@NullMarked
package io.cleave.http;

import org.jspecify.annotations.NullMarked;
