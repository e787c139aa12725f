import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What a name server of a test says of a name: its addresses, nothing ever, or what stands for a failure. */
export type Zone = Record<string, string[] | 'silent' | 'unknown' | 'failing' | 'silent on AAAA'>;

const TYPES: Record<number, 'ipv4' | 'ipv6'> = { 1: 'ipv4', 28: 'ipv6' };
const CODES = { failing: 2, unknown: 3 };
/** Of a header and of a question before and after its name (RFC 1035, 4.1). */
const HEADER = 12;
const QUESTION_END = 5;

/** Starts a name server on loopback that answers over UDP; a name that is not in the zone is unknown. */
export async function startNameServer(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const name = nameIn(query);
    asked.push(name);
    const answer = answerTo(query, zone[name] ?? 'unknown', name.length);
    if (answer) socket.send(answer, from.port, from.address);
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

function answerTo(query: Buffer, said: Zone[string], nameLength: number): Buffer | null {
  const questionEnd = HEADER + nameLength + 1 + QUESTION_END;
  const type = TYPES[query.readUInt16BE(questionEnd - 4)];
  if (said === 'silent' || (said === 'silent on AAAA' && type === 'ipv6')) return null;
  const code = said === 'failing' || said === 'unknown' ? CODES[said] : 0;
  const addresses = said === 'silent on AAAA' ? ['93.184.215.14'] : Array.isArray(said) ? said : [];
  const records = addresses.map((text) => ipaddr.parse(text)).filter((address) => address.kind() === type);
  const answer = Buffer.from(query.subarray(0, questionEnd));
  answer.writeUInt16BE(0x8180 | code, 2);
  answer.writeUInt16BE(records.length, 6);
  answer.writeUInt32BE(0, 8);
  return Buffer.concat([answer, ...records.map((address) => recordOf(address.toByteArray(), query, questionEnd))]);
}

/** The name of the question (a pointer to it), its type and class, a life of zero seconds, and the address. */
function recordOf(bytes: number[], query: Buffer, questionEnd: number): Buffer {
  const name = Buffer.from([0xc0, HEADER]);
  const kind = query.subarray(questionEnd - 4, questionEnd);
  return Buffer.concat([name, kind, Buffer.from([0, 0, 0, 0, 0, bytes.length, ...bytes])]);
}
