package io.cleave.base;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Finds functions of the C library.
public final class NativeCalls {
    private NativeCalls() {}

    /// The function with this name and signature; empty if the C library has none. Throws an
    /// [IllegalCallerException] if the process may not call native code, and an
    /// [UnsupportedOperationException] if Java does not support it on this machine.
    @SuppressWarnings("restricted") // callers give the signatures of the manual
    public static Optional<MethodHandle> find(
            String name, FunctionDescriptor signature, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(address -> linker.downcallHandle(address, signature, options));
    }
}
