"""`python -m outbox_kit.stack.tether PARENT UID GID -- COMMAND`: run a command that cannot outlive its parent.

PARENT is the process id whose death takes the command along, or 0 for none; UID and GID of -1 stay as they are.
The kernel's parent-death signal is set after the user is changed, because that change clears it, and lasts
through exec. Plain imports only: this runs once for every service.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the command."""
    parent, uid, gid = map(int, sys.argv[1:4])
    command = sys.argv[5:]
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if parent:
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)  # it died before the signal was set
    os.execvp(command[0], command)  # noqa: S606 - there is no shell on purpose


if __name__ == "__main__":
    main()
