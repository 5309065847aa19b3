"""How the warm worker for pytest keeps its copy of the workspace: versions are written there, and all is put back."""

import errno
import os
import shutil
import stat


def stamp(found):
    if stat.S_ISDIR(found.st_mode):
        return (found.st_mode,)
    return (found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


class Copy:
    """The copy of the workspace, and how it was. No program can set a change time, so a stamp cannot be forged."""

    def __init__(self, facts):
        self.root, self.pristine = facts["workspace"], facts["pristine"]
        self.temporary = {folder: set(paths_in(folder)) for folder in facts["temporary"]}
        self.left = set(facts["left"])
        self.stamps = {}
        self.list("", lambda path, found: self.stamps.__setitem__(path, stamp(found)))

    def list(self, folder, visit):
        with os.scandir(os.path.join(self.root, folder)) as entries:
            entries = list(entries)
        for entry in entries:
            path = folder + "/" + entry.name if folder else entry.name
            if path in self.left:
                continue
            found = entry.stat(follow_symlinks=False)
            if visit(path, found) is not False and stat.S_ISDIR(found.st_mode):
                self.list(path, visit)

    def write(self, files):
        """Writes a version's files; false where one has no place."""
        try:
            for path, content in files:
                full = os.path.join(self.root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "wb") as file:
                    file.write(content.encode("utf-8", "surrogatepass"))
            return True
        except OSError:
            return False

    def restore(self):
        for folder, known in self.temporary.items():
            for path in paths_in(folder):
                if path not in known:
                    remove(path)
        if stat.S_IMODE(os.stat(self.root).st_mode) & 0o700 != 0o700:
            os.chmod(self.root, 0o755)
        seen = set()
        self.list("", lambda path, found: self.check(path, found, seen))
        for path in sorted(self.stamps.keys() - seen):
            self.put_back(path)

    def check(self, path, found, seen):
        """Whether an entry is as it was; a folder's mode is fixed, anything else that is not goes."""
        was = self.stamps.get(path)
        if was is not None and stat.S_ISDIR(was[0]) and stat.S_ISDIR(found.st_mode):
            if was[0] != found.st_mode:
                os.chmod(os.path.join(self.root, path), stat.S_IMODE(was[0]))
            seen.add(path)
            return True
        if was == stamp(found):
            seen.add(path)
            return True
        try:
            remove(os.path.join(self.root, path))
        except OSError as error:
            # Something is mounted there: it is the host's, and no version can have changed it.
            if error.errno != errno.EBUSY:
                raise
            seen.add(path)
        return False

    def put_back(self, path):
        source, target = os.path.join(self.pristine, path), os.path.join(self.root, path)
        mode = self.stamps[path][0]
        if stat.S_ISDIR(mode):
            os.mkdir(target)
            os.chmod(target, stat.S_IMODE(mode))
        else:
            shutil.copy2(source, target, follow_symlinks=False)
        self.stamps[path] = stamp(os.lstat(target))


def paths_in(folder):
    """What is in a temporary folder, parents first; what is mounted there is the machine's, and not looked into."""
    device, waiting = os.lstat(folder).st_dev, [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in list(entries):
                yield entry.path
                found = os.lstat(entry.path) if os.path.lexists(entry.path) else None
                if found and stat.S_ISDIR(found.st_mode) and found.st_dev == device:
                    waiting.append(entry.path)


def remove(path):
    if not os.path.isdir(path) or os.path.islink(path):
        os.unlink(path)
        return
    try:
        shutil.rmtree(path)
    except (OSError, RecursionError):
        os.system("chmod -R u+rwX '%s'; rm -rf '%s'" % (path.replace("'", "'\\''"), path.replace("'", "'\\''")))
        if os.path.lexists(path):
            raise
