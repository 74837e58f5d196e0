package io.cleave.yt.format;

import java.util.Optional;

/// The codecs of blocks, as YTsaurus names and numbers them. The numbers are on the wire.
enum ZstdCodec {
    ZSTD_1("zstd_1", 55019, 1),
    ZSTD_3("zstd_3", 23308, 3),
    ZSTD_7("zstd_7", 33533, 7);

    private final String codecName;
    private final int id;
    private final int level;

    ZstdCodec(String codecName, int id, int level) {
        this.codecName = codecName;
        this.id = id;
        this.level = level;
    }

    static Optional<ZstdCodec> find(String name) {
        for (ZstdCodec codec : values()) {
            if (codec.codecName.equals(name)) {
                return Optional.of(codec);
            }
        }
        return Optional.empty();
    }

    static boolean isKnown(int id) {
        for (ZstdCodec codec : values()) {
            if (codec.id == id) {
                return true;
            }
        }
        return false;
    }

    int id() {
        return id;
    }

    int level() {
        return level;
    }
}
