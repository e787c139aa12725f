import type { Exchange } from './exchange';
import { headBytes } from './limits/heads';
import { type PageClient, shed } from './limits/pages';

/** Maximum number of bytes in the incomplete requests of one client. Almost two of the largest bodies fit. */
const MAX_OF_CLIENT = 8 * 1024 * 1024;
/**
 * Maximum number of bytes in the incomplete requests of all clients without a session. Above it, the requests that
 * began first are refused: the form of a person arrives within moments, and those of an attacker never do.
 */
const MAX_WITHOUT_SESSION = 32 * 1024 * 1024;

const held = new Map<string, number>();
let heldWithoutSession = 0;
/** The incomplete requests without a session, in the order in which they began. */
const withoutSession = new Set<Incomplete>();

/** A request whose body is not complete. `counted` is the number of its bytes that count toward the limits. */
type Incomplete = { client: PageClient; counted: number; refused: boolean; refuse: () => void };

/**
 * Receives the whole body of a request, and then passes it to the readers of the request in one piece. Resolves when
 * the body is complete, the request was refused, or the connection is closed. Call this function before `limitBody`, so
 * that `limitBody` gets each chunk first.
 *
 * No request counts toward the limits in `whenPageMayRun` until its body is complete, so a client that sends slowly
 * does not keep other clients waiting. Next.js creates several promises for each chunk that it reads, so many small
 * chunks would block the event loop.
 */
export function receiveBody(exchange: Exchange, client: PageClient): Promise<number> {
  const { req } = exchange;
  if (req.complete) return Promise.resolve(req.readableLength);
  const push = req.push.bind(req);
  let bytes = Buffer.alloc(0);
  let used = 0;
  const append = (chunk: Buffer) => {
    if (used + chunk.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, used + chunk.length));
      bytes.copy(larger, 0, 0, used);
      bytes = larger;
    }
    used += chunk.copy(bytes, used);
  };
  return new Promise((resolve) => {
    const end = () => {
      release(incomplete);
      resolve(used);
    };
    /** Discards the body and the rest of it that is still to come. */
    const refuseRest = () => {
      incomplete.refused = true;
      bytes = Buffer.alloc(0);
      used = 0;
      end();
    };
    const refuse = () => {
      refuseRest();
      // The caller may still be setting headers of this response.
      queueMicrotask(() => shedAndClose(exchange));
    };
    const incomplete: Incomplete = { client, counted: 0, refused: false, refuse };
    if (client.kind !== 'session') withoutSession.add(incomplete);
    // Reads the part of the body that arrived before this call. It is passed on later, with the rest.
    const early: Buffer | null = req.readableLength > 0 ? req.read() : null;
    if (early) append(early);
    hold(incomplete, headBytes(req) + used);
    req.push = (chunk: unknown) => {
      if (Buffer.isBuffer(chunk)) {
        if (!incomplete.refused && hold(incomplete, chunk.length)) append(chunk);
        return true;
      }
      // `bytes` can be twice as long as the body. The copy frees the rest.
      if (used > 0) push(used === bytes.length ? bytes : Buffer.from(bytes.subarray(0, used)));
      const result = push(chunk);
      end();
      return result;
    };
    req.once('close', end);
    // If the response ends before the body is complete, Node emits no more events of the request.
    exchange.res.once('close', refuseRest);
  });
}

function shedAndClose({ res, replaced }: Exchange): void {
  if (replaced || res.headersSent || res.destroyed) return;
  res.shouldKeepAlive = false;
  shed(res);
}

/** Counts bytes of an incomplete request. If a limit is exceeded, refuses this request or earlier ones. */
function hold(incomplete: Incomplete, bytes: number): boolean {
  const { id, kind } = incomplete.client;
  const own = (held.get(id) ?? 0) + bytes;
  incomplete.counted += bytes;
  held.set(id, own);
  if (kind !== 'session') heldWithoutSession += bytes;
  if (own > MAX_OF_CLIENT) incomplete.refuse();
  for (const earliest of withoutSession) {
    if (heldWithoutSession <= MAX_WITHOUT_SESSION) break;
    earliest.refuse();
  }
  return !incomplete.refused;
}

function release(incomplete: Incomplete): void {
  const { id, kind } = incomplete.client;
  const own = (held.get(id) ?? 0) - incomplete.counted;
  if (own > 0) held.set(id, own);
  else held.delete(id);
  if (kind !== 'session') heldWithoutSession -= incomplete.counted;
  incomplete.counted = 0;
  withoutSession.delete(incomplete);
}
