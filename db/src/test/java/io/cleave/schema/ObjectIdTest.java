package io.cleave.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObjectIdTest {
    @Test
    void theTextHasTheTypeInItsThirdPart() {
        ObjectId id = ObjectId.of(ObjectType.TABLE, 0x1234_5678_9abcL);
        assertThat(id.text()).isEqualTo("1234-56789abc-10191-1");
        assertThat(id.type()).contains(ObjectType.TABLE);
        assertThat(id.number()).isEqualTo(0x1234_5678_9abcL);
        assertThat(ObjectId.parse(id.text())).contains(id);
    }

    @Test
    void zerosAreNoObject() {
        assertThat(ObjectId.parse("0-0-0-0")).contains(ObjectId.NULL);
        assertThat(ObjectId.parse("ffffffff-ffffffff-ffffffff-ffffffff"))
                .contains(new ObjectId(-1, -1));
    }

    @Test
    void otherTextsAreNone() {
        for (String text :
                new String[] {"", "1-2-3", "1-2-3-4-5", "1-2-3-", "123456789-1-1-1", "g-1-1-1"}) {
            assertThat(ObjectId.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void aNamedObjectKeepsItsIdInLaterVersions() {
        assertThat(ObjectId.named(ObjectType.TABLET_CELL_BUNDLE, "default").text())
                .isEqualTo(ObjectId.named(ObjectType.TABLET_CELL_BUNDLE, "default").text());
        assertThat(ObjectId.named(ObjectType.MAP_NODE, "/local").text())
                .startsWith("3c7fcde9-51998e45");
    }
}
