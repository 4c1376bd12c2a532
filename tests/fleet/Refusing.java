// SPDX-License-Identifier: GPL-3.0-or-later
// A file system of Hadoop that is not the local one, and refuses what has certain names, as root can read all that is on this machine. It
// permits them where a file with the name .permitted is beside them.

import java.io.File;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;

public class Refusing extends RawLocalFileSystem {
    @Override
    public URI getUri() {
        return URI.create("refusing:///");
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        refuse("shut", path, new AccessControlException("Permission denied: " + path));
        if (path.getName().equals("strange"))
            throw new IllegalArgumentException("Wrong name: " + path);
        FileStatus[] found = super.listStatus(path);
        for (int i = 0; i < found.length; i++) {
            String name = found[i].getPath().getName();
            if (name.equals("absurd") || name.equals("dated.json") && !permits(path))
                found[i] = new FileStatus(found[i].getLen(), false, 1, 1 << 20, Long.MAX_VALUE, found[i].getPath());
        }
        return found;
    }

    @Override
    public FSDataInputStream open(Path path, int size) throws IOException {
        refuse("denied.*|.*[.]json", path, new AccessControlException("Permission denied: " + path));
        refuse("broken.*", path, new IOException("Input/output error: " + path));
        return super.open(path, size);
    }

    private void refuse(String pattern, Path path, IOException error) throws IOException {
        if (path.getName().matches(pattern) && !permits(path.getParent()))
            throw error;
    }

    private static boolean permits(Path folder) {
        return new File(folder.toUri().getPath(), ".permitted").exists();
    }
}
