package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.List;

/// `Yson::Iterate(node)`: what one meets on a walk through a tree, as a list of events. A leaf is a
/// `Value`; a list, a map and a node with attributes stand between a `PreValue` and a `PostValue`.
final class YsonIteration {
    /// In the order of their names, as members of a variant are.
    private enum Event {
        BEGIN_ATTRIBUTES("BeginAttributes", Type.Unit.VOID),
        BEGIN_LIST("BeginList", Type.Unit.VOID),
        BEGIN_MAP("BeginMap", Type.Unit.VOID),
        END_ATTRIBUTES("EndAttributes", Type.Unit.VOID),
        END_LIST("EndList", Type.Unit.VOID),
        END_MAP("EndMap", Type.Unit.VOID),
        ITEM("Item", Type.Unit.VOID),
        KEY("Key", Primitive.STRING),
        POST_VALUE("PostValue", YsonModule.NODE),
        PRE_VALUE("PreValue", YsonModule.NODE),
        VALUE("Value", YsonModule.NODE);

        private final String text;
        private final Type type;

        Event(String text, Type type) {
            this.text = text;
            this.type = type;
        }
    }

    private static final Type EVENT = new Type.Variant(new Type.Struct(members()));

    private final List<Value> events = new ArrayList<>();

    /// Of all nodes that are in events: each stands in those of the nodes around it, too.
    private long keptBytes;

    private YsonIteration() {}

    private static List<Type.Member> members() {
        var members = new ArrayList<Type.Member>();
        for (Event event : Event.values()) {
            members.add(new Type.Member(event.text, event.type));
        }
        return members;
    }

    static Typed resolve(FunctionCall call) {
        call.expect(1);
        return call.strict(
                new Type.ListOf(EVENT),
                List.of(YsonModule.argument(call, 0)),
                a -> {
                    var iteration = new YsonIteration();
                    iteration.walk(YsonModule.node(a[0]));
                    return Value.items(iteration.events);
                });
    }

    private void walk(YsonNode node) {
        switch (node) {
            case YsonNode.Items(List<YsonNode> items) -> {
                add(Event.PRE_VALUE, YsonModule.value(node));
                add(Event.BEGIN_LIST);
                for (YsonNode item : items) {
                    add(Event.ITEM);
                    walk(item);
                }
                add(Event.END_LIST);
                add(Event.POST_VALUE, YsonModule.value(node));
            }
            case YsonNode.Members members -> {
                add(Event.PRE_VALUE, YsonModule.value(node));
                add(Event.BEGIN_MAP);
                walkMembers(members);
                add(Event.END_MAP);
                add(Event.POST_VALUE, YsonModule.value(node));
            }
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value)
                    when attributes.members().isEmpty() ->
                    walk(value);
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value) -> {
                add(Event.PRE_VALUE, YsonModule.value(node));
                add(Event.BEGIN_ATTRIBUTES);
                walkMembers(attributes);
                add(Event.END_ATTRIBUTES);
                walk(value);
                add(Event.POST_VALUE, YsonModule.value(node));
            }
            case YsonNode.Entity _,
                    YsonNode.Bool _,
                    YsonNode.Int64 _,
                    YsonNode.Uint64 _,
                    YsonNode.Real _,
                    YsonNode.Text _ ->
                    add(Event.VALUE, YsonModule.value(node));
        }
    }

    private void walkMembers(YsonNode.Members members) {
        members.members()
                .forEach(
                        (name, value) -> {
                            add(Event.KEY, Value.binary(name));
                            walk(value);
                        });
    }

    private void add(Event event) {
        add(event, Value.Null.NULL);
    }

    private void add(Event event, Value value) {
        if (value instanceof Value.Binary(Bytes bytes)) {
            keptBytes += bytes.length();
            ValueSizes.requireBytes(keptBytes);
        }
        events.add(new Value.Choice(event.ordinal(), value));
    }
}
