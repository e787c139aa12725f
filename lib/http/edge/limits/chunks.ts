import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A body with more chunks than this is refused if its chunks have fewer than `MIN_AVERAGE` bytes on average. A chunk can
 * be a single byte, and Node creates a buffer for each: 64 KiB of such chunks would block the event loop for about
 * 10 ms and take megabytes.
 */
const MANY_CHUNKS = 1_024;
const MIN_AVERAGE = 16;

type Chunks = { count: number; bytes: number };

const chunksOf = new WeakMap<IncomingMessage, Chunks>();

/**
 * Counts a chunk of a body. Returns false if the body has too many small chunks. Node's parser then creates no buffers
 * for the rest of the packet.
 */
export function noteChunk(req: IncomingMessage, bytes: number): boolean {
  const chunks = chunksOf.get(req) ?? { count: 0, bytes: 0 };
  chunks.count += 1;
  chunks.bytes += bytes;
  chunksOf.set(req, chunks);
  if (!isTooMany(chunks)) return true;
  skipRestOfPacket(req.socket);
  return false;
}

/** The functions that `skipRestOfPacket` has removed. */
const removed: (() => void)[] = [];

/**
 * Removes the function that Node's parser calls for each chunk, until the next turn of the event loop, or until a new
 * connection is accepted. Node can use the parser of an ended connection for the new one.
 */
function skipRestOfPacket(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  if (!(parser instanceof Object)) return;
  const key: unknown = Reflect.get(parser.constructor, 'kOnBody');
  if (typeof key !== 'number') return;
  const onBody: unknown = Reflect.get(parser, key);
  if (typeof onBody !== 'function') return;
  Reflect.set(parser, key, null);
  removed.push(() => Reflect.set(parser, key, onBody));
  setImmediate(endSkips);
}

/** Lets all parsers pass on chunks again. Call this function for each new connection. */
export function endSkips(): void {
  for (const restore of removed.splice(0)) restore();
}

/** Returns whether the body of a request has too many small chunks. */
export function hasTooManyChunks(req: IncomingMessage): boolean {
  const chunks = chunksOf.get(req);
  return chunks !== undefined && isTooMany(chunks);
}

function isTooMany({ count, bytes }: Chunks): boolean {
  return count > MANY_CHUNKS && bytes < count * MIN_AVERAGE;
}

/** Counts the chunks that arrive while a request waits for its turn. Returns a function that ends this. */
export function countWaitingChunks(req: IncomingMessage): () => void {
  if (req.headers['transfer-encoding'] === undefined) return () => {};
  const push = req.push.bind(req);
  req.push = (chunk: unknown) => (!Buffer.isBuffer(chunk) || noteChunk(req, chunk.length)) && push(chunk);
  return () => void Reflect.deleteProperty(req, 'push');
}
