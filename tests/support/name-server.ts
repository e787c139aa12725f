import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

/** By domain name. */
export type Zone = Record<string, string[] | 'silent' | 'unknown' | 'failing' | 'silent on AAAA'>;

const TYPES: Record<number, 'ipv4' | 'ipv6'> = { 1: 'ipv4', 28: 'ipv6' };
const CODES = { failing: 2, unknown: 3 };
/** RFC 1035, 4.1. */
const HEADER = 12;
/** After the labels: a zero byte, the type, and the class. */
const QUESTION_END = 5;

/** Names that are not in `zone` are unknown. */
export async function startNameServer(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const name = nameIn(query);
    asked.push(name);
    const response = responseTo(query, zone[name] ?? 'unknown', name.length);
    if (response) socket.send(response, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER, length = query[at] ?? 0; length > 0; at += length + 1, length = query[at] ?? 0)
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
  return labels.join('.').toLowerCase();
}

function responseTo(query: Buffer, entry: Zone[string], nameLength: number): Buffer | null {
  const questionEnd = HEADER + nameLength + 1 + QUESTION_END;
  const type = TYPES[query.readUInt16BE(questionEnd - 4)];
  if (entry === 'silent' || (entry === 'silent on AAAA' && type === 'ipv6')) return null;
  const code = entry === 'failing' || entry === 'unknown' ? CODES[entry] : 0;
  const addresses = entry === 'silent on AAAA' ? ['93.184.215.14'] : Array.isArray(entry) ? entry : [];
  const records = addresses.map((text) => ipaddr.parse(text)).filter((address) => address.kind() === type);
  const response = Buffer.from(query.subarray(0, questionEnd));
  response.writeUInt16BE(0x8180 | code, 2);
  response.writeUInt16BE(records.length, 6);
  response.writeUInt32BE(0, 8);
  return Buffer.concat([response, ...records.map((address) => recordOf(address.toByteArray(), query, questionEnd))]);
}

/** A pointer to the name in the question, its type and class, and a TTL of 0. */
function recordOf(bytes: number[], query: Buffer, questionEnd: number): Buffer {
  const name = Buffer.from([0xc0, HEADER]);
  const kind = query.subarray(questionEnd - 4, questionEnd);
  return Buffer.concat([name, kind, Buffer.from([0, 0, 0, 0, 0, bytes.length, ...bytes])]);
}
