package io.cleave.yt.tree;

import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;

/// A lock as clients see it: in the attribute `locks` of its node, and as an object of its own.
record LockObject(NodeLock lock, boolean isPending) {
    private String state() {
        return isPending ? "pending" : "acquired";
    }

    YsonNode attributes() {
        NodeLock.Request request = lock.request();
        return YsonNode.map()
                .with("id", lock.id().text())
                .with("state", state())
                .with("transaction_id", lock.transaction().id().text())
                .with("mode", request.mode().text())
                .withPresent("child_key", request.childKey().map(YsonNode::text))
                .withPresent("attribute_key", request.attributeKey().map(YsonNode::text))
                .build();
    }

    SystemObject object() {
        NodeLock.Request request = lock.request();
        return SystemObject.of(lock.id(), ObjectType.LOCK)
                .with("state", YsonNode.text(state()))
                .with("transaction_id", YsonNode.text(lock.transaction().id().text()))
                .with("node_id", YsonNode.text(lock.nodeId().text()))
                .with("mode", YsonNode.text(request.mode().text()))
                .with("implicit", YsonNode.bool(!lock.isExplicit()))
                .with("child_key", request.childKey().map(YsonNode::text))
                .with("attribute_key", request.attributeKey().map(YsonNode::text))
                .build();
    }
}
