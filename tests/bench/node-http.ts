// The server that the benchmark results list as "bare node:http". Its responses all have the same body.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = 'x'.repeat(Number(process.argv[2]));
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
const server = createServer((_, res) => res.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// The IPC channel closes when the parent process ends.
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group, but the parent process decides when to stop.
process.on('SIGINT', () => {});
