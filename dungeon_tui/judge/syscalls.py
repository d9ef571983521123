"""The system calls that a caged program may not make, as a filter for bubblewrap.

A socket with a path would reach servers outside, which run commands for anyone who asks, as tmux does. Memory in a file
without a name, in a segment of System V or in a file system of its own counts for no process. Source: seccomp(2) and
linux/filter.h.
"""

import errno
import platform
import struct

_AF_UNIX = 1
# Number of the architecture, then of socket, shmget, mount and memfd_create, by the machine's name.
_NUMBERS = {"x86_64": (0xC000003E, 41, 29, 165, 319), "aarch64": (0xC00000B7, 198, 194, 40, 279)}
_REFUSED = 425, 430  # on both: io_uring_setup, which opens sockets, too, and fsopen, which mounts
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # of classic BPF, with a constant of 32 bits
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16  # in struct seccomp_data
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000  # the latter with an error number added
_OTHER_ABI = 0x40000000  # x32


def syscall_filter(machine: str = platform.machine()) -> bytes | None:
    """The filter as BPF instructions; None for machines whose numbers we don't know."""
    if machine not in _NUMBERS:
        return None
    architecture, socket, *others = _NUMBERS[machine]
    refused = *others, *_REFUSED
    program = [  # code, steps forward if true, if false, constant
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 0, len(refused) + 6, architecture),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, len(refused) + 4, 0, _OTHER_ABI),
        *((_EQUAL, steps, 0, number) for steps, number in zip(range(len(refused) + 3, 3, -1), refused, strict=True)),
        (_EQUAL, 0, 2, socket),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (_EQUAL, 2, 0, _AF_UNIX),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),
        (_RETURN, 0, 0, _REFUSE | errno.EACCES),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
