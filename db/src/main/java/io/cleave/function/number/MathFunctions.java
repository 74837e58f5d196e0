package io.cleave.function.number;

/// Mathematical functions that Java's library lacks, accurate to about 15 digits.
public final class MathFunctions {
    /// The Lanczos coefficients for g = 7.
    private static final double[] LANCZOS = {
        0.9999999999998099,
        676.5203681218851,
        -1259.1392167224028,
        771.3234287776531,
        -176.6150291621406,
        12.507343278686905,
        -0.13857109526572012,
        9.984369578019572e-06,
        1.5056327351493116e-07
    };

    private static final int LANCZOS_G = 7;
    private static final double SERIES_LIMIT = 2.5;
    private static final int MAX_TERMS = 200;

    private MathFunctions() {}

    public static double gamma(double x) {
        if (x == Math.rint(x) && x > 0 && x < 20) {
            double product = 1;
            for (int factor = 2; factor < x; factor++) {
                product *= factor;
            }
            return product;
        }
        if (x == 0 || (x < 0 && x == Math.rint(x))) {
            return x == 0 ? 1 / x : Double.NaN;
        }
        if (x < 0.5) {
            return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
        }
        double base = x - 1 + LANCZOS_G + 0.5;
        // The power is computed in two halves, so that it does not overflow before the result does.
        double half = Math.pow(base, (x - 0.5) / 2);
        return Math.sqrt(2 * Math.PI) * half * Math.exp(-base) * half * lanczos(x - 1);
    }

    private static double lanczos(double x) {
        double sum = LANCZOS[0];
        for (int index = 1; index < LANCZOS.length; index++) {
            sum += LANCZOS[index] / (x + index);
        }
        return sum;
    }

    /// The logarithm of the absolute value of the gamma function.
    public static double logGamma(double x) {
        if (x <= 0 && x == Math.rint(x)) {
            return Double.POSITIVE_INFINITY;
        }
        if (x == 1 || x == 2) {
            return 0;
        }
        if (x < 0.5) {
            return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
        }
        double base = x - 1 + LANCZOS_G + 0.5;
        return 0.5 * Math.log(2 * Math.PI)
                + (x - 0.5) * Math.log(base)
                - base
                + Math.log(lanczos(x - 1));
    }

    static double erf(double x) {
        if (Double.isNaN(x)) {
            return x;
        }
        double positive = Math.abs(x);
        return Math.copySign(
                positive < SERIES_LIMIT ? erfSeries(positive) : 1 - erfcFraction(positive), x);
    }

    private static double erfSeries(double x) {
        double term = x;
        double sum = x;
        for (int n = 1; n < MAX_TERMS; n++) {
            term *= -x * x / n;
            double next = sum + term / (2 * n + 1);
            if (next == sum) {
                break;
            }
            sum = next;
        }
        return 2 / Math.sqrt(Math.PI) * sum;
    }

    /// 1 - erf(x) as a continued fraction, which converges fast far from 0.
    private static double erfcFraction(double x) {
        if (Double.isInfinite(x)) {
            return 0;
        }
        double fraction = x;
        for (int n = MAX_TERMS; n > 0; n--) {
            fraction = x + n / 2.0 / fraction;
        }
        return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
    }

    /// The inverse of erf, by Newton's method from Winitzki's approximation.
    static double erfInverse(double y) {
        if (Double.isNaN(y) || Math.abs(y) > 1) {
            return Double.NaN;
        }
        if (Math.abs(y) == 1) {
            return y * Double.POSITIVE_INFINITY;
        }
        if (y == 0) {
            return y;
        }
        double a = 0.147;
        double log = Math.log1p(-y * y);
        double mid = 2 / (Math.PI * a) + log / 2;
        double x = Math.copySign(Math.sqrt(Math.sqrt(mid * mid - log / a) - mid), y);
        for (int step = 0; step < 4; step++) {
            double slope = 2 / Math.sqrt(Math.PI) * Math.exp(-x * x);
            if (slope == 0) {
                break;
            }
            x -= (erf(x) - y) / slope;
        }
        return x;
    }

    static double asinh(double x) {
        return Math.copySign(Math.log(Math.abs(x) + Math.hypot(x, 1)), x);
    }

    public static double log2(double x) {
        double power = Math.getExponent(x);
        return x > 0 && x == Math.pow(2, power) ? power : Math.log(x) / Math.log(2);
    }
}
