package io.cleave.control.action;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.Optional;
import java.util.OptionalLong;

/// How long an action is kept after it has ended.
///
/// @param untilMicros the time at which it is removed, but not before it has ended
/// @param forMicros the time after its end at which it is removed
public record Keeping(boolean forever, OptionalLong untilMicros, OptionalLong forMicros) {
    /// An action about which nothing was said is kept a little, so that its end can be seen.
    private static final long SHORT_MICROS = 60_000_000;

    private static final long BALANCER_MICROS = 20L * 60 * 1_000_000;

    /// Nothing was said.
    public static final Keeping SHORT =
            new Keeping(false, OptionalLong.empty(), OptionalLong.empty());

    /// Until somebody removes it.
    public static final Keeping FOREVER =
            new Keeping(true, OptionalLong.empty(), OptionalLong.empty());

    /// For actions that the balancer begins.
    public static final Keeping BALANCER =
            new Keeping(false, OptionalLong.empty(), OptionalLong.of(BALANCER_MICROS));

    /// What a client has said with these attributes of the action; throws if it has said too much.
    public static Keeping of(
            Optional<Boolean> keepFinished,
            OptionalLong expirationMicros,
            OptionalLong timeoutMicros) {
        boolean said = keepFinished.isPresent() || expirationMicros.isPresent();
        if ((said && timeoutMicros.isPresent())
                || (keepFinished.isPresent() && expirationMicros.isPresent())) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "At most one of \"keep_finished\", \"expiration_time\", \"expiration_timeout\""
                            + " can be specified");
        }
        return new Keeping(keepFinished.orElse(false), expirationMicros, timeoutMicros);
    }

    /// When an action that has ended at this time is removed; empty if it is kept.
    public OptionalLong removalMicros(long endedMicros) {
        if (forever) {
            return OptionalLong.empty();
        }
        if (untilMicros.isPresent()) {
            return OptionalLong.of(Math.max(endedMicros, untilMicros.getAsLong()));
        }
        long kept = forMicros.orElse(SHORT_MICROS);
        long removal = endedMicros + kept;
        return OptionalLong.of(removal < endedMicros ? Long.MAX_VALUE : removal);
    }
}
