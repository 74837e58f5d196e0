package io.cleave.balance.yt.settings;

import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.Set;
import java.util.function.Function;

/// The YSON form of settings whose last options are checked only when the balancer reads them.
///
/// @param unreadable the error of a config that has such an option, and it is broken
/// @param reader makes the settings
/// @param withDefaults what a client sees
record OptionForm<S>(
        String unreadable, Reader<S> reader, Function<OptionReader, YsonNode> withDefaults) {
    interface Reader<S> {
        /// Returns the settings.
        ///
        /// @param late has the options that are not checked when they are set
        S read(OptionReader options, OptionReader late);
    }

    /// Throws unless a client may set this.
    void check(YsonNode given) {
        S _ = reader.read(OptionReader.root(given), OptionReader.root(YsonNode.Members.EMPTY));
    }

    /// The settings. Throws if an option that is checked only now is broken.
    S read(YsonNode stored) {
        try {
            OptionReader options = OptionReader.root(stored);
            return reader.read(options, options);
        } catch (YtException e) {
            throw YtError.of(YtCodes.INCORRECT_BALANCER_CONFIG, unreadable)
                    .with(e.error())
                    .exception();
        }
    }

    /// What a client sees.
    YsonNode shown(YsonNode stored) {
        try {
            return withDefaults.apply(OptionReader.root(stored));
        } catch (YtException _) {
            // Stored before this check existed. The client that sees it can correct it.
            return stored;
        }
    }

    /// The names of all options, with their aliases.
    Set<String> names() {
        OptionReader options = OptionReader.root(YsonNode.Members.EMPTY);
        S _ = reader.read(options, options);
        return options.asked();
    }
}
