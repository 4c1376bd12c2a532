# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the output folder, on any file system that Hadoop knows. Files are replaced atomically where the file system
can rename, which all but object stores can; there, an upload becomes visible only when it is complete."""

import fcntl
import os
import stat
import uuid
from contextlib import suppress
from itertools import chain
from typing import List, Optional
from urllib.parse import unquote

from py4j.protocol import Py4JJavaError

from .errors import FleetError


def is_uri(path: str) -> bool:
    return "://" in path or path.startswith("file:")


def as_uri(path: str) -> str:
    return path if is_uri(path) else "file:" + os.path.abspath(path)


def literal(path: str) -> str:
    """Spark takes the paths that it reads as patterns."""
    return "".join("\\" + character if character in "\\*?[]{}" else character for character in path)


def decoded(uri: str) -> str:
    """The path of a file that Spark names in its metadata."""
    return unquote(uri)


def shown(path: str) -> str:
    """A path as people write it: without a scheme on this machine."""
    return "/" + path.removeprefix("file:").lstrip("/") if path.startswith("file:") else path


class Store:
    def __init__(self, spark, folder: str):
        self.jvm = spark.sparkContext._jvm
        self.gateway = spark.sparkContext._gateway
        self.conf = spark.sparkContext._jsc.hadoopConfiguration()
        self.folder = as_uri(folder)
        files = self.hadoop_path("").getFileSystem(self.conf)
        self.local = files.getUri().getScheme() == "file"
        # Without its checksum files, which would lie beside the results.
        self.files = files.getRaw() if self.local else files
        self.lock: Optional[int] = None
        if self.exists("") and not self.files.getFileStatus(self.hadoop_path("")).isDirectory():
            raise FleetError(f"{shown(self.folder)}: is a file; --out needs a folder")

    def claim(self) -> None:
        """Makes the folder, and keeps other jobs of this machine from writing there until this one ends, however it does."""
        self.files.mkdirs(self.hadoop_path(""))
        if self.local and self.lock is None:
            self.lock = os.open(shown(self.folder), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FleetError(f"{shown(self.folder)}: another job is writing there; wait until it ends") from None

    def release(self) -> None:
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def path(self, name: str) -> str:
        return f"{self.folder.rstrip('/')}/{name}" if name else self.folder

    def hadoop_path(self, name: str):
        return self.jvm.org.apache.hadoop.fs.Path(self.path(name))

    def exists(self, name: str) -> bool:
        return self.files.exists(self.hadoop_path(name))

    def size(self, name: str) -> int:
        """In bytes; 0: it is not there."""
        try:
            return self.files.getFileStatus(self.hadoop_path(name)).getLen()
        except Py4JJavaError as error:
            if error.java_exception.getClass().getName() == "java.io.FileNotFoundException":
                return 0
            raise

    def is_plain(self, name: str) -> bool:
        """Whether it is a file, not a folder, and on this machine not a link or a pipe either."""
        if self.local:
            return stat.S_ISREG(os.lstat(shown(self.path(name))).st_mode)
        return self.files.getFileStatus(self.hadoop_path(name)).isFile()

    def names(self, folder: str) -> List[str]:
        if not self.exists(folder):
            return []
        return sorted(status.getPath().getName() for status in self.files.listStatus(self.hadoop_path(folder)))

    def find_odd(self, folder: str) -> Optional[str]:
        """What is neither a plain file nor a folder, if @folder or something in it is: Java waits at pipes, and goes round
        with links, or to another folder."""
        top = shown(self.path(folder))
        inside = (os.path.join(path, name) for path, folders, files in os.walk(top) for name in (*folders, *files))
        for path in chain([top], inside) if self.local and os.path.lexists(top) else ():
            if stat.S_IFMT(os.lstat(path).st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
                return os.path.relpath(path, shown(self.folder))
        return None

    def remove(self, name: str) -> None:
        self.files.delete(self.hadoop_path(name), True)

    def remove_path(self, path: str) -> None:
        """@path: in full."""
        self.files.delete(self.jvm.org.apache.hadoop.fs.Path(path), True)

    def move_folder(self, name: str, to: str) -> None:
        self.files.mkdirs(self.hadoop_path(os.path.dirname(to)))
        if not self.files.rename(self.hadoop_path(name), self.hadoop_path(to)):
            raise OSError(f"{self.path(to)}: cannot be renamed from {name}")

    def read_text(self, name: str) -> Optional[str]:
        if not self.exists(name):
            return None
        stream = self.files.open(self.hadoop_path(name))
        try:
            return self.jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
        finally:
            stream.close()

    def write_text(self, name: str, text: str) -> None:
        written = f"{name}.{uuid.uuid4().hex}.part"
        stream = self.files.create(self.hadoop_path(written), True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()
        self.replace(written, name)

    def put_file(self, local: str, name: str) -> None:
        written = f"{name}.{uuid.uuid4().hex}.part"
        self.files.copyFromLocalFile(False, True, self.jvm.org.apache.hadoop.fs.Path("file:" + local), self.hadoop_path(written))
        self.replace(written, name)

    def get_file(self, name: str, local: str) -> None:
        self.files.copyToLocalFile(False, self.hadoop_path(name), self.jvm.org.apache.hadoop.fs.Path("file:" + local), True)

    def replace(self, name: str, to: str) -> None:
        """On this machine a file keeps its mode."""
        if self.local:
            new, old = shown(self.path(name)), shown(self.path(to))
            with suppress(OSError):  # Not all that is mounted has modes.
                os.chmod(new, stat.S_IMODE(os.stat(old).st_mode))
            os.replace(new, old)
            return
        overwrite = self.jvm.org.apache.hadoop.fs.Options.Rename.OVERWRITE
        options = self.gateway.new_array(self.jvm.org.apache.hadoop.fs.Options.Rename, 1)
        options[0] = overwrite
        context = self.jvm.org.apache.hadoop.fs.FileContext.getFileContext(self.files.getUri(), self.conf)
        context.rename(self.hadoop_path(name), self.hadoop_path(to), options)
