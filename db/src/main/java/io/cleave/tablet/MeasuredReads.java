package io.cleave.tablet;

/// Which share of the reads that are noted is measured: all that [TabletMeter] would take, unless
/// they come so fast that a part of them tells as much. The clock takes longer than a read, so at a
/// million reads in a second a twentieth of the time would go into looking at it.
///
/// The share changes by halves. Where reads become fewer it is whole again after a second or two,
/// so that a tablet which becomes hot is seen as soon as ever.
///
/// Threads: any. They see each other's numbers as they happen to be: a share that is changed twice
/// or once too late is as good.
final class MeasuredReads {
    /// So many are measured before the share is thought over.
    static final int ROUND = 256;

    /// A round that is over sooner has more than enough of them; one that takes longer, too few.
    static final long SHORT_MICROS = 100_000;

    static final long LONG_MICROS = 400_000;

    static final int LEAST_ONE_IN = 16;

    private int oneIn = 1;
    private int measured;
    private long beganMicros;

    /// One of so many is to be measured now.
    int oneIn(long nowMicros) {
        if (oneIn > 1 && Math.abs(nowMicros - beganMicros) > LONG_MICROS) {
            oneIn /= 2;
            begin(nowMicros);
        }
        return oneIn;
    }

    /// One was measured.
    void count(long nowMicros) {
        if (++measured >= ROUND) {
            if (Math.abs(nowMicros - beganMicros) < SHORT_MICROS) {
                oneIn = Math.min(2 * oneIn, LEAST_ONE_IN);
            }
            begin(nowMicros);
        }
    }

    private void begin(long nowMicros) {
        measured = 0;
        beganMicros = nowMicros;
    }
}
