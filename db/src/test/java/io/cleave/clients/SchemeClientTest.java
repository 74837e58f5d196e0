package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.scheme.SchemeClient;
import tech.ydb.scheme.description.Entry;
import tech.ydb.scheme.description.EntryType;

/// Directories through `ydb-sdk-scheme`.
@ExtendWith(SharedServer.class)
class SchemeClientTest {
    private final Clients clients;
    private final SchemeClient schemes;
    private final String directory;

    SchemeClientTest(Clients clients) {
        this.clients = clients;
        schemes = clients.schemes();
        directory = clients.newDirectory();
    }

    @Test
    void directoriesAreMadeWithTheirParentsAndTwiceWithoutHarm() {
        assertThat(schemes.makeDirectories(directory + "/a/b").join().isSuccess()).isTrue();
        assertThat(schemes.makeDirectory(directory + "/a/b").join().isSuccess()).isTrue();
        assertThat(schemes.describePath(directory + "/a/b").join().getValue().getEntry())
                .returns("b", Entry::getName)
                .returns(EntryType.DIRECTORY, Entry::getType);
    }

    @Test
    void aDirectoryListsWhatIsInIt() {
        clients.define("CREATE TABLE `" + directory + "/t` (id Int32, PRIMARY KEY (id))");
        assertThat(schemes.makeDirectory(directory + "/sub").join().isSuccess()).isTrue();
        var listed = schemes.listDirectory(directory).join().getValue();
        assertThat(listed.getEntry().getType()).isEqualTo(EntryType.DIRECTORY);
        assertThat(listed.getEntryChildren())
                .extracting(Entry::getName)
                .containsExactlyInAnyOrder("sub", "t");
        assertThat(listed.getEntryChildren())
                .filteredOn(entry -> entry.getName().equals("t"))
                .extracting(Entry::getType)
                .containsExactly(EntryType.TABLE);
        assertThat(
                        schemes.listDirectory(clients.transport().getDatabase())
                                .join()
                                .getValue()
                                .getEntryChildren())
                .extracting(Entry::getName)
                .contains(directory.substring(directory.lastIndexOf('/') + 1));
    }

    @Test
    void onlyAnEmptyDirectoryIsRemoved() {
        clients.define("CREATE TABLE `" + directory + "/t` (id Int32, PRIMARY KEY (id))");
        Status refused = schemes.removeDirectory(directory).join();
        assertThat(refused.getCode()).as("%s", refused).isNotEqualTo(StatusCode.SUCCESS);
        assertThat(refused.toString()).contains(directory);
        clients.define("DROP TABLE `" + directory + "/t`");
        assertThat(schemes.removeDirectory(directory).join().isSuccess()).isTrue();
        assertThat(schemes.describePath(directory).join().getStatus().getCode())
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    @Test
    void whatIsNotThereIsNamed() {
        for (Status status :
                new Status[] {
                    schemes.listDirectory(directory + "/none").join().getStatus(),
                    schemes.describePath(directory + "/none").join().getStatus(),
                    schemes.removeDirectory(directory + "/none").join()
                }) {
            assertThat(status.getCode()).as("%s", status).isEqualTo(StatusCode.SCHEME_ERROR);
            assertThat(status.toString()).contains(directory + "/none");
        }
    }

    @Test
    void aTableIsNoDirectory() {
        clients.define("CREATE TABLE `" + directory + "/t` (id Int32, PRIMARY KEY (id))");
        assertThat(schemes.removeDirectory(directory + "/t").join().isSuccess()).isFalse();
        assertThat(schemes.makeDirectory(directory + "/t/sub").join().isSuccess()).isFalse();
        assertThat(clients.rows("SELECT id FROM `" + directory + "/t`")).isEmpty();
    }
}
