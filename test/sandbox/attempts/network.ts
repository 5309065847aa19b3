// Attempts to reach anyone at all.

import { type Attempt, GOT_IN } from "../attempt.ts";

const connect = (family: string, address: string) => `
import socket
def act():
    s = socket.socket(socket.${family}); s.settimeout(2); s.connect(${address})
trying(act)`;

export const networkAttempts: Attempt[] = [
  {
    title: "TCP to a listener on this machine's loopback",
    programs: [["python", ({ ports }) => connect("AF_INET", `("127.0.0.1", ${ports.tcp})`)]],
    says: /ECONNREFUSED/,
    worksOutside: true,
  },
  {
    title: "TCP over IPv6 to a listener on this machine's loopback",
    programs: [["python", ({ ports }) => connect("AF_INET6", `("::1", ${ports.tcp6})`)]],
    says: /ECONNREFUSED|EADDRNOTAVAIL/,
  },
  {
    title: "TCP from Node to a listener on this machine's loopback",
    programs: [
      [
        "node",
        ({ ports }) => `require("net").connect(${ports.tcp}, "127.0.0.1")
          .on("connect", () => { console.log("${GOT_IN}"); process.exit(); }).on("error", (e) => console.log(e.code))`,
      ],
    ],
    says: /ECONNREFUSED/,
    worksOutside: true,
  },
  {
    title: "a UDP datagram to this machine's loopback",
    programs: [
      [
        "python",
        ({ ports }) => `
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.sendto(b"hello", ("127.0.0.1", ${ports.udp}))
print("sent, to a loopback of its own")`,
      ],
    ],
    says: /sent/,
  },
  {
    title: "TCP to an address on the internet",
    programs: [["python", connect("AF_INET", '("1.1.1.1", 53)')]],
    says: /ENETUNREACH/,
  },
  {
    title: "a name looked up by DNS",
    programs: [
      ["python", "try:\n    print('got in', socket.getaddrinfo('example.com', 80))\nexcept OSError as e: print(e)"],
    ],
    says: /Temporary failure|not known|No address/,
  },
  {
    title: "a DNS question by UDP to a public server",
    programs: [
      ["python", `trying(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("8.8.8.8", 53)))`],
    ],
    says: /ENETUNREACH/,
  },
  {
    title: "an abstract unix socket of this machine's",
    programs: [["python", ({ abstractSocket }) => connect("AF_UNIX", `"\\0${abstractSocket}"`)]],
    says: /ECONNREFUSED/,
    worksOutside: true,
  },
  {
    title: "a unix socket that someone outside listens on in the workspace",
    programs: [["python", () => connect("AF_UNIX", '"host.sock"')]],
    says: /ECONNREFUSED|ENOTSOCK|EACCES/,
    worksOutside: true,
  },
  {
    title: "the machine's own services by their unix sockets",
    programs: [
      [
        "python",
        `for path in ["/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/tmp/.X11-unix/X0"]:
    trying(lambda: socket.socket(socket.AF_UNIX).connect(path))`,
      ],
    ],
    says: /ENOENT/,
  },
  {
    title: "the machine's network interfaces, by netlink",
    programs: [["python", "print(socket.if_nameindex() == [(1, 'lo')] and 'its own loopback' or 'got in')"]],
    says: /its own loopback/,
  },
  {
    title: "a network interface brought up by netlink",
    programs: [
      [
        "python",
        `import struct
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
body = struct.pack("=BBHiII", 0, 0, 0, 0, 0, 0) + struct.pack("=HH8s", 12, 3, b"dummy9\\0\\0") + struct.pack("=HHHH", 16, 18, 10, 1) + b"dummy\\0\\0\\0"
s.send(struct.pack("=IHHII", 16 + len(body), 16, 0x605, 1, 0) + body)
code = -struct.unpack("=i", s.recv(4096)[16:20])[0]
print("got in" if code == 0 else errno.errorcode[code])`,
      ],
    ],
    says: /EPERM/,
  },
  {
    title: "a packet socket",
    programs: [["python", "trying(lambda: socket.socket(17, socket.SOCK_RAW, 0x0300))"]],
    says: /EPERM/,
  },
  {
    title: "a raw socket",
    programs: [["python", "trying(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))"]],
    says: /EPERM/,
  },
];
