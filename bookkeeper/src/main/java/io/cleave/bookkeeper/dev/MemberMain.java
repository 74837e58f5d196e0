package io.cleave.bookkeeper.dev;

import java.nio.file.Path;

/// The main class of a ZooKeeper or bookie process: `zookeeper PORT FOLDER` or `bookie
/// ZOOKEEPER-PORT PORT FOLDER`. Prints a line when the server answers, and runs until it is killed.
public final class MemberMain {
    private MemberMain() {}

    public static void main(String[] args) throws Exception {
        switch (Member.Kind.of(args[0])) {
            case ZOOKEEPER -> ZooKeeperMember.run(Integer.parseInt(args[1]), Path.of(args[2]));
            case BOOKIE ->
                    BookieMember.run(
                            Integer.parseInt(args[1]), Integer.parseInt(args[2]), Path.of(args[3]));
            case NODE -> throw new IllegalArgumentException("a node is started by its own command");
        }
    }
}
