package io.cleave.wire.value;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.ValueProtos.ResultSet;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Writes result sets directly as bytes, without a message object for each value.
public final class EncodedSets implements SetBuilder<WireBuffer> {
    private static final int FIRST_BYTES = 256;

    /// Upper bound of a buffer's initial size. A larger buffer grows as rows are added.
    private static final int MOST_EXPECTED_BYTES = 64 << 10;

    private static final byte[] NO_ROW = {};

    private final Shapes shapes;
    private Shape shape;
    private WireBuffer building = new WireBuffer(0);

    /// Where the ready row begins in `building`. Between two parts, the row itself is in `waiting`.
    private int rowAt;

    /// Bytes reserved for the tag and length of a row. Guessed from the row before: lengths in one
    /// set mostly take equally many bytes.
    private int rowHead = WireBuffer.headBytes(0);

    private boolean ready;
    private byte[] waiting = NO_ROW;

    public EncodedSets(Shapes shapes) {
        this.shapes = shapes;
        shape = shapes.none;
    }

    /// The shapes that all replies of one plan share; kept as long as the plan.
    ///
    /// Threads: any.
    public static final class Shapes {
        private static final int RECENT_COUNT = 64;

        /// The shape before the first result.
        private final Shape none = new Shape(new Type[0], new byte[0]);

        private final LoadingCache<ResultShape, Shape> known =
                Caffeine.newBuilder().weakKeys().executor(Runnable::run).build(Shape::of);

        /// Shapes that were used a short time ago, indexed by the identity hash of the key. Finding
        /// one here takes less time than in the cache, which keeps counts of its hits.
        private final AtomicReferenceArray<@Nullable Recent> recent =
                new AtomicReferenceArray<>(RECENT_COUNT);

        private Shape get(ResultShape key) {
            int place = System.identityHashCode(key) & (RECENT_COUNT - 1);
            Recent found = recent.getAcquire(place);
            if (found != null && found.key().refersTo(key)) {
                return found.shape();
            }
            Shape shape = known.get(key);
            recent.setRelease(place, new Recent(new WeakReference<>(key), shape));
            return shape;
        }
    }

    private record Recent(WeakReference<ResultShape> key, Shape shape) {}

    private static final class Shape {
        final Type[] types;
        final byte[] columns;

        /// Size of the last part plus an eighth, as a guess for the next one. Threads race on this
        /// field, which is harmless for a guess.
        private int lastBytes = FIRST_BYTES;

        private Shape(Type[] types, byte[] columns) {
            this.types = types;
            this.columns = columns;
        }

        static Shape of(ResultShape shape) {
            var columns = ResultSet.newBuilder().addAllColumns(ResultSets.columns(shape)).build();
            return new Shape(ResultSets.types(shape), columns.toByteArray());
        }
    }

    @Override
    public void shape(ResultShape next) {
        shape = shapes.get(next);
    }

    @Override
    public void start(boolean withColumns) {
        building = new WireBuffer(Math.min(shape.lastBytes, MOST_EXPECTED_BYTES));
        if (withColumns) {
            building.append(shape.columns, 0, shape.columns.length);
        }
        if (ready) {
            rowAt = building.open(rowHead);
            building.append(waiting, 0, waiting.length);
            waiting = NO_ROW;
        }
    }

    @Override
    public int ready(Value[] values) {
        int before = building.length();
        rowAt = building.open(rowHead);
        ValueWriter.row(shape.types, values, building);
        ready = true;
        return building.length() - before - rowHead;
    }

    @Override
    public void add() {
        int length = building.close(ResultSet.ROWS_FIELD_NUMBER, rowAt, rowHead);
        rowHead = WireBuffer.headBytes(length);
        ready = false;
    }

    @Override
    public WireBuffer build(boolean truncated) {
        if (ready) {
            waiting = building.cut(rowAt, rowHead);
        }
        shape.lastBytes = building.length() + building.length() / 8;
        if (truncated) {
            building.varintField(ResultSet.TRUNCATED_FIELD_NUMBER, 1);
        }
        return building;
    }
}
