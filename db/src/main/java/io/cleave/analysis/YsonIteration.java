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
    /// One of the members of the variant, and its place among them.
    private record Event(int place, String name, Type type) {
        static final Event BEGIN_ATTRIBUTES = new Event(0, "BeginAttributes", Type.Unit.VOID);
        static final Event BEGIN_LIST = new Event(1, "BeginList", Type.Unit.VOID);
        static final Event BEGIN_MAP = new Event(2, "BeginMap", Type.Unit.VOID);
        static final Event END_ATTRIBUTES = new Event(3, "EndAttributes", Type.Unit.VOID);
        static final Event END_LIST = new Event(4, "EndList", Type.Unit.VOID);
        static final Event END_MAP = new Event(5, "EndMap", Type.Unit.VOID);
        static final Event ITEM = new Event(6, "Item", Type.Unit.VOID);
        static final Event KEY = new Event(7, "Key", Primitive.STRING);
        static final Event POST_VALUE = new Event(8, "PostValue", YsonModule.NODE);
        static final Event PRE_VALUE = new Event(9, "PreValue", YsonModule.NODE);
        static final Event VALUE = new Event(10, "Value", YsonModule.NODE);

        /// In the order of their names, as members of a variant are.
        static final List<Event> ALL =
                List.of(
                        BEGIN_ATTRIBUTES,
                        BEGIN_LIST,
                        BEGIN_MAP,
                        END_ATTRIBUTES,
                        END_LIST,
                        END_MAP,
                        ITEM,
                        KEY,
                        POST_VALUE,
                        PRE_VALUE,
                        VALUE);
    }

    private static final Type EVENT = new Type.Variant(new Type.Struct(members()));

    private final List<Value> events = new ArrayList<>();

    /// Of all nodes that are in events: each stands in those of the nodes around it, too.
    private long keptBytes;

    private YsonIteration() {}

    private static List<Type.Member> members() {
        return Event.ALL.stream()
                .map(event -> new Type.Member(event.name(), event.type()))
                .toList();
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
        events.add(new Value.Choice(event.place(), value));
    }
}
