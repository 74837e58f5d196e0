package io.cleave.control.action;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.control.action.TabletAction.Content;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletAction.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/// An action as bytes, in the column `entry` of the system table `actions`. The number in the
/// action's id is the row's key. A list is preceded by its element count, a text or key by its
/// length.
///
/// ```
/// u8   form                          1
/// u8   kind, state, origin           the codes of Kind, State and Origin
/// u64  created_micros, ended_micros
/// var  table
/// text path, bundle
/// key  from
/// u8   has_to, key to if 1
/// list tablets, cells                var
/// list pivot_keys, old_keys          key
/// u8   has_count, var count if 1
/// u8   mounted                       the code of a MountState
/// u8   skip_freezing
/// u8   forever
/// u8   has_until, u64 until if 1
/// u8   has_for, u64 for if 1
/// var  decision
/// text error
/// ```
public final class ActionCodec {
    private static final byte FORM = 1;

    private ActionCodec() {}

    static Bytes encode(TabletAction action) {
        Content content = action.content();
        var out = new ByteWriter(256);
        out.putByte(FORM);
        out.putByte(content.kind().code());
        out.putByte(action.state().code());
        out.putByte(content.origin().code());
        out.putLong(content.createdMicros());
        out.putLong(action.endedMicros());
        out.putVarLong(content.tableId());
        out.putText(content.path());
        out.putText(content.bundle());
        out.putBytes(content.range().from());
        Bytes to = content.range().to();
        out.putByte(to == null ? 0 : 1);
        if (to != null) {
            out.putBytes(to);
        }
        put(out, action.tabletIds(), out::putVarLong);
        put(out, content.cellIds(), out::putVarLong);
        put(out, content.pivotKeys(), out::putBytes);
        put(out, content.oldKeys(), out::putBytes);
        out.putByte(content.tabletCount().isPresent() ? 1 : 0);
        content.tabletCount().ifPresent(out::putVarInt);
        out.putByte(content.mounted().code());
        out.putByte(content.skipFreezing() ? 1 : 0);
        Keeping keeping = content.keeping();
        out.putByte(keeping.forever() ? 1 : 0);
        put(out, keeping.untilMicros());
        put(out, keeping.forMicros());
        out.putVarLong(content.decision());
        out.putText(action.error());
        return Bytes.wrap(out.toArray());
    }

    private static void put(ByteWriter out, OptionalLong value) {
        out.putByte(value.isPresent() ? 1 : 0);
        value.ifPresent(out::putLong);
    }

    private static <T> void put(ByteWriter out, List<T> all, Consumer<T> each) {
        out.putVarInt(all.size());
        all.forEach(each);
    }

    /// Throws [CorruptionException] if the bytes are not an action, or if a newer version wrote
    /// them: an action that is not understood must not be forgotten.
    public static TabletAction decode(long number, Bytes data) {
        try {
            return read(number, new ByteReader(data.array(), 0, data.length()));
        } catch (IndexOutOfBoundsException e) {
            throw corrupt(number, "ends early");
        }
    }

    private static TabletAction read(long number, ByteReader in) {
        int form = in.getByte();
        if (form != FORM) {
            throw corrupt(number, "has form %d, which this version does not know".formatted(form));
        }
        Kind kind = coded(number, Kind.values(), Kind::code, in.getByte());
        State state = coded(number, State.values(), State::code, in.getByte());
        Origin origin = coded(number, Origin.values(), Origin::code, in.getByte());
        long createdMicros = in.getLong();
        long endedMicros = in.getLong();
        long tableId = in.getVarLong();
        String path = in.getText();
        String bundle = in.getText();
        Bytes from = in.getBytes();
        var range = new KeyRange(from, in.getByte() == 0 ? null : in.getBytes());
        List<Long> tabletIds = list(in, in::getVarLong);
        List<Long> cellIds = list(in, in::getVarLong);
        List<Bytes> pivotKeys = list(in, in::getBytes);
        List<Bytes> oldKeys = list(in, in::getBytes);
        OptionalInt count =
                in.getByte() == 0 ? OptionalInt.empty() : OptionalInt.of(in.getVarInt());
        MountState mounted = coded(number, MountState.values(), MountState::code, in.getByte());
        boolean skipFreezing = in.getByte() != 0;
        var keeping = new Keeping(in.getByte() != 0, optional(in), optional(in));
        long decision = in.getVarLong();
        String error = in.getText();
        return new TabletAction(
                ObjectId.of(ObjectType.TABLET_ACTION, number),
                new Content(
                        kind,
                        tableId,
                        path,
                        bundle,
                        range,
                        cellIds,
                        pivotKeys,
                        oldKeys,
                        count,
                        mounted,
                        skipFreezing,
                        keeping,
                        origin,
                        decision,
                        createdMicros),
                state,
                tabletIds,
                error,
                endedMicros);
    }

    private static OptionalLong optional(ByteReader in) {
        return in.getByte() == 0 ? OptionalLong.empty() : OptionalLong.of(in.getLong());
    }

    private static <T> List<T> list(ByteReader in, Supplier<T> each) {
        int count = in.getVarInt();
        List<T> all = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            all.add(each.get());
        }
        return all;
    }

    private static <T> T coded(long number, T[] all, ToIntFunction<T> code, int found) {
        Optional<T> named =
                Arrays.stream(all).filter(each -> code.applyAsInt(each) == found).findFirst();
        return named.orElseThrow(() -> corrupt(number, "has the unknown code " + found));
    }

    private static CorruptionException corrupt(long number, String what) {
        return new CorruptionException("the catalog", 0, "action %d %s".formatted(number, what));
    }
}
