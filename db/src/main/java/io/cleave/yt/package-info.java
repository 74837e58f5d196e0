/// The HTTP proxy of YTsaurus' API. It finds the command of a request, reads parameters and input
/// in the client's format, runs the command, and writes the answer or the error.
///
/// What always holds:
/// - An error of a command is never an HTTP status of 500 or more, because clients then assume that
///   the server is down, and retry for minutes.
/// - Requests, inputs that are unpacked, and answers take their memory from the server's pools.
/// - A repeated request with the same mutation id does not make its change again.
///
/// Begin with [YtProxy], then [CommandHandler], which answers one request.
@NullMarked
package io.cleave.yt;

import org.jspecify.annotations.NullMarked;
