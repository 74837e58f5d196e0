/// HTTP/1.1 for every front end that uses it: Netty's codec, with limits on everything that a
/// client can make large or slow. The package does not depend on the database. `docs/http.md` lists
/// the limits and the statuses.
///
/// What always holds:
/// - Routes that are [HttpRoutes#immediate] or [HttpRoutes#shared], such as health and metrics, are
///   answered whatever other requests do. They take no slot. If there are too many connections, an
///   old one without a running handler is closed for a new one.
/// - A connection has one request at a time. The bytes of the next request are not examined before
///   the answer to the current one is sent.
/// - [RequestGrammar] sees every byte before Netty's decoder does, and refuses whatever two parsers
///   could understand differently.
/// - Handlers run on virtual threads, never on network threads.
/// - An answer is sent after the whole body of its request has arrived, unless the request is
///   refused.
///
/// Begin with [HttpServer], then [HttpConnection], which is one connection, and [RequestCheck],
/// which checks a request.
@NullMarked
package io.cleave.http;

import org.jspecify.annotations.NullMarked;
