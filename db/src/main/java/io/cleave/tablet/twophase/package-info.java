/// How a commit over several cells is decided: the messages between cells, their answers, and the
/// two state machines that decide what a cell does about each message.
///
/// [io.cleave.tablet.twophase.CellLink] is a cell as a participant of a multi-cell commit.
/// [io.cleave.tablet.twophase.Participant] and [io.cleave.tablet.twophase.Coordinator] take one
/// message and return a [io.cleave.tablet.twophase.TransactionStep]: records to log, messages to
/// send, and the answer. The cell carries out the step.
///
/// What always holds: the state machines wait for nothing, and read neither clock nor log. Every
/// message may come twice, late, or never. The decision of the coordinator, once durable, is the
/// commit (`docs/transactions.md`).
///
/// Begin with [io.cleave.tablet.twophase.TransactionStep], then read
/// [io.cleave.tablet.twophase.Participant].
@NullMarked
package io.cleave.tablet.twophase;

import org.jspecify.annotations.NullMarked;
