package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// What a call that fails tells its client.
final class Statuses {
    private Statuses() {}

    static StatusException assertFails(Status status, String text, ThrowingCallable call) {
        StatusException thrown = catchThrowableOfType(StatusException.class, call);
        assertThat(thrown).as("nothing was thrown").isNotNull();
        assertThat(thrown.status()).isEqualTo(status);
        assertThat(thrown.issues().getFirst().message()).contains(text);
        return thrown;
    }
}
