package io.cleave.tablet.meter;

/// Decides which share of the noted reads is measured. Normally all of them are. If reads are very
/// frequent, a part of them is enough: reading the clock takes longer than a read, so at a million
/// reads per second it would take a twentieth of the time.
///
/// The share is halved and doubled. When reads become fewer, all are measured again after a second
/// or two, so that a tablet that becomes hot is noticed as early as before.
///
/// Threads: any, without synchronization. A lost or late change of the share does no harm.
final class MeasuredReads {
    /// The number of measured reads after which the share is reconsidered.
    static final int ROUND = 256;

    /// A shorter round has more measurements than needed, a longer one too few.
    static final long SHORT_MICROS = 100_000;

    static final long LONG_MICROS = 400_000;

    static final int LEAST_ONE_IN = 16;

    private int oneIn = 1;
    private int measured;
    private long beganMicros;

    /// Currently, one read in this many should be measured.
    int oneIn(long nowMicros) {
        if (oneIn > 1 && Math.abs(nowMicros - beganMicros) > LONG_MICROS) {
            oneIn /= 2;
            begin(nowMicros);
        }
        return oneIn;
    }

    /// Called for each measured read.
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
