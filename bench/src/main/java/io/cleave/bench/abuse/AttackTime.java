package io.cleave.bench.abuse;

/// How long attacks last at the most. Queries have twice the time, since the server computes them.
record AttackTime(int seconds) {
    int seconds(String attack) {
        return Attack.all().get(attack) instanceof QueryFlood ? 2 * seconds : seconds;
    }
}
