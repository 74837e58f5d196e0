"""Runs cases of db/src/test/testdata/yt with the real client of YTsaurus.

Reads one case a line: `yt` or `python`, the arguments or the program, and what the case reads from
its standard input, the last two in base64. Answers each with a line: what the case printed, in
base64. Every case runs in a process of its own, forked from this one, so that the client's packages
are loaded once.
"""

import base64
import os
import shlex
import signal
import sys
import tempfile
import time
import traceback

import yt.cli.yt_binary as cli
import yt.wrapper as yt
import yt.yson as yson
from yt.common import YtError

SECONDS = 60


def configure():
    yt.config["proxy"]["url"] = os.environ["YT_PROXY"]
    yt.config["proxy"]["retries"]["count"] = 2
    yt.config["proxy"]["retries"]["backoff"]["policy"] = "constant_time"
    yt.config["proxy"]["retries"]["backoff"]["constant_time"] = 100
    yt.config["dynamic_table_retries"]["count"] = 1
    yt.config["dynamic_table_retries"]["total_timeout"] = 10000


def shown(error, before="error "):
    """The tree of errors, one line each. The outermost one is the client's own."""
    if isinstance(error, YtError):
        code, message, inner = error.code, error.message, error.inner_errors
    else:
        code, message, inner = error["code"], error["message"], error.get("inner_errors", [])
    lines = ["%s%s: %s" % (before, code, message)]
    for each in inner:
        lines += ["  " + line for line in shown(each, "by ").split("\n")]
    return "\n".join(lines)


def server_error(error):
    if error.message == "Received HTTP response with error" and error.inner_errors:
        return "\n".join(shown(each) for each in error.inner_errors)
    return shown(error)


def wait(condition):
    """Waits until the condition holds. A case that takes too long is ended by an alarm."""
    while not condition():
        time.sleep(0.05)


def run(case):
    if case["kind"] == "yt":
        sys.argv = ["yt"] + shlex.split(case["text"])
        cli.main_func()
    else:
        exec(compile(case["text"], "case", "exec"), {"yt": yt, "yson": yson, "YtError": YtError, "wait": wait})


def child(case, write):
    given = tempfile.TemporaryFile()
    given.write(case["stdin"].encode("utf-8"))
    given.seek(0)
    os.dup2(given.fileno(), 0)
    os.dup2(write, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stdin = open(0, "r", encoding="utf-8", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    signal.alarm(SECONDS)
    try:
        run(case)
    except YtError as error:
        print(server_error(error))
    except SystemExit as end:
        if end.code:
            print("exit %s" % end.code)
    except BaseException:
        print(traceback.format_exc().strip().split("\n")[-1])
    finally:
        try:
            sys.stdout.flush()
        finally:
            os._exit(0)


def answer(case):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        child(case, write)
    os.close(write)
    with os.fdopen(read, "rb") as output:
        text = output.read().decode("utf-8", "backslashreplace")
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        text += "\nended by signal %d" % os.WTERMSIG(status)
    return text


def decoded(word):
    return base64.b64decode(word).decode("utf-8")


def say(text):
    print(base64.b64encode(text.encode("utf-8")).decode("ascii"), flush=True)


def main():
    configure()
    say("ready")
    for line in sys.stdin:
        kind, text, stdin = line.rstrip("\n").split(" ")
        say(answer({"kind": kind, "text": decoded(text), "stdin": decoded(stdin)}))


main()
