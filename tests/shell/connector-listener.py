"""A listener of the kernel's process connector: prints `ready`, then the pid of each process that executed something, a line each."""
import os
import socket
import struct

NETLINK_CONNECTOR = 11
NLMSG_DONE = 3
CN_IDX_PROC = CN_VAL_PROC = 1
PROC_CN_MCAST_LISTEN = 1
PROC_EVENT_EXEC = 2
HEADERS = struct.Struct("=IHHII" "IIIIHH")
EVENT = struct.Struct("=IIQI")

connector = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, NETLINK_CONNECTOR)
connector.bind((os.getpid(), CN_IDX_PROC))
operation = struct.pack("=I", PROC_CN_MCAST_LISTEN)
connector.send(HEADERS.pack(HEADERS.size + len(operation), NLMSG_DONE, 0, 0, 0, CN_IDX_PROC, CN_VAL_PROC, 0, 0, len(operation), 0) + operation)
print("ready", flush=True)
while True:
    what, _, _, pid = EVENT.unpack_from(connector.recv(4096), HEADERS.size)
    if what == PROC_EVENT_EXEC:
        print(pid, flush=True)
