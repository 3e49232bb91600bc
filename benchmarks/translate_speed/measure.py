"""One run of a program that translates standard input, seen from outside, in the same way for all programs."""
import fcntl
import os
import select
import signal
import subprocess
import threading
import time

from shared import runs

PAGE = 4096
WHOLE_PIPE = 1 << 20


class TooSlow(Exception):
    """A run took longer than it was allowed."""


class Feeder(threading.Thread):
    """Writes the text into a pipe of one page; the program has loaded its model when it takes the first line."""

    def __init__(self, pipe, text):
        super().__init__(daemon=True)
        self.pipe = pipe
        self.text = text
        self.taken = None

    def run(self):
        try:
            with self.pipe:
                self.feed(self.pipe.fileno())
        except BrokenPipeError:
            pass  # the program has failed: its exit status tells

    def feed(self, pipe):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PAGE)
        written = os.write(pipe, self.text[:min(self.text.index(b"\n") + 1, PAGE)])
        waiting = select.poll()
        waiting.register(pipe, select.POLLOUT)
        waiting.poll()  # until the page is empty again
        self.taken = time.perf_counter()
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, WHOLE_PIPE)
        while written < len(self.text):
            written += os.write(pipe, self.text[written:written + WHOLE_PIPE])


def read_output(pipe):
    """All of it, when its first line was whole, and when the last came."""
    parts, first, last = [], None, None
    while part := os.read(pipe.fileno(), WHOLE_PIPE):
        last = time.perf_counter()
        if first is None and b"\n" in part:
            first = last
        parts.append(part)
    return b"".join(parts), first, last


def start(command, environment, log):
    with open(log, "wb") as errors:
        return subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=errors, env={**os.environ, **environment}, bufsize=0)


def translate(process, text, limit):
    """The output, what the process used, and when it took the first line and wrote the first and the last."""
    timer = threading.Timer(limit or 1e6, process.kill)
    timer.daemon = True
    timer.start()
    feeder = Feeder(process.stdin, text)
    feeder.start()
    output, first, last = read_output(process.stdout)
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if limit and process.returncode == -signal.SIGKILL:
        raise TooSlow
    return output, used, (feeder.taken, first, last)


def run(command, environment, text, log, limit=None):
    """Translates text (bytes, lines). Returns the translations and what was measured; limit: seconds until TooSlow."""
    busy, begin = runs.machine_seconds(), time.perf_counter()
    process = start(command, environment, log)
    output, used, (taken, first, last) = translate(process, text, limit)
    end = time.perf_counter()
    if process.returncode != 0 or output.count(b"\n") != text.count(b"\n"):
        lines = f"{output.count(bytes([10]))} lines of {text.count(bytes([10]))}; see {log}"
        raise subprocess.CalledProcessError(process.returncode, command[0], output=lines)
    other = runs.machine_seconds() - busy - used.ru_utime - used.ru_stime
    return output, {"load_seconds": taken - begin, "seconds": last - taken, "first_line_seconds": first - begin,
                    "process_seconds": end - begin, "processor_seconds": used.ru_utime + used.ru_stime,
                    "peak_mib": used.ru_maxrss / 1024,
                    "other_share": max(0, other) / ((end - begin) * os.cpu_count())}
