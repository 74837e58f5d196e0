package io.cleave.bench.abuse;

/// The maximum duration of attacks. Queries have twice the time, because the server computes them.
record AttackTime(int seconds) {
    int seconds(String attack) {
        return Attack.all().get(attack) instanceof QueryFlood ? 2 * seconds : seconds;
    }
}
