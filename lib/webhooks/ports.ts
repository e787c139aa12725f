// The Fetch standard blocks these ports, because programs on them could read an HTTP request as commands
// (https://fetch.spec.whatwg.org/#port-blocking). undici has the same list but does not export it. A test compares both
// lists.
const BAD_PORTS = [
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
];

// Databases, message brokers, and the management of containers and clusters.
const INTERNAL_PORTS = [
  ...[0, 88, 138, 162, 445, 464, 502, 593, 623, 631, 873, 1080, 1099, 1433, 1434, 1521, 1883, 2181, 2375, 2376, 2377],
  ...[2379, 2380, 2888, 3128, 3268, 3269, 3306, 3389, 3690, 3888, 4222, 4369, 4789, 4848, 5044, 5432, 5433, 5555, 5601],
  ...[5671, 5672, 5900, 5984, 5985, 5986, 6379, 6380, 6432, 6443, 7001, 7199, 7474, 7687, 7946, 8086, 8125, 8200, 8300],
  ...[8301, 8302, 8500, 8529, 8983, 9000, 9042, 9090, 9092, 9100, 9160, 9200, 9300, 9418, 10250, 10255, 10256, 11210],
  ...[11211, 11214, 11434, 15672, 16379, 25672, 26257, 26379, 27017, 27018, 27019, 28015, 28017, 50000, 61613, 61616],
];

const BLOCKED = new Set([...BAD_PORTS, ...INTERNAL_PORTS]);

/** Returns whether webhooks are not sent to a port. */
export function isBlockedPort(port: number): boolean {
  return BLOCKED.has(port);
}
