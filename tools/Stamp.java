import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Makes the file by which `./cleave` sees how new a module's build is: a source that is newer than
/// it was not built. Run by the build, last: `Stamp.java FILE BUILD-TIME`, where the time is when
/// the build began, so that an edit while it ran is seen.
class Stamp {
    void main(String[] args) throws IOException {
        Path stamp = Path.of(args[0]);
        Files.writeString(stamp, "");
        Files.setLastModifiedTime(stamp, FileTime.from(Instant.parse(args[1])));
    }
}
