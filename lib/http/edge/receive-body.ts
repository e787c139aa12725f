import type { Exchange } from './exchange';
import { shed } from './limits/pages';

/**
 * Number of bytes at the start of each body that do not count toward the limits below. The limit on the number of
 * connections already limits the total of these bytes.
 */
const FREE = 16 * 1024;
/** Maximum number of bytes in the incomplete bodies of one client. This is enough for two of the largest bodies. */
const MAX_OF_CLIENT = 8 * 1024 * 1024;
/** Maximum number of bytes in the incomplete bodies of all clients without a session. */
const MAX_WITHOUT_SESSION = 32 * 1024 * 1024;

const held = new Map<string, number>();
let heldWithoutSession = 0;

/** The client that sends a body. `id` identifies the session if the cookie is valid, and otherwise the network. */
export type Sender = { id: string; session: boolean };

/**
 * Receives the whole body of a request, and then passes it to the readers of the request in one piece. Resolves when
 * the body is complete, the request was refused, or the connection is closed. Call this function before `limitBody`, so
 * that `limitBody` gets each chunk first.
 *
 * No request counts toward the limits in `whenPageMayRun` until its body is complete, so a client that sends slowly
 * does not keep other clients waiting. Next.js creates several promises for each chunk that it reads, so many small
 * chunks would block the event loop.
 */
export function receiveBody(exchange: Exchange, sender: Sender): Promise<void> {
  const { req, res } = exchange;
  if (req.complete) return Promise.resolve();
  const push = req.push.bind(req);
  let bytes = Buffer.alloc(0);
  let used = 0;
  let counted = 0;
  let refused = false;
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
      hold(sender, -counted);
      counted = 0;
      resolve();
    };
    // Reads the part of the body that arrived before this call.
    const early: Buffer | null = req.readableLength > 0 ? req.read() : null;
    if (early) append(early);
    req.push = (chunk: unknown) => {
      if (Buffer.isBuffer(chunk)) {
        if (refused) return true;
        const more = Math.max(0, used + chunk.length - FREE) - counted;
        if (more > 0 && !hold(sender, more)) {
          // The rest of the body is discarded.
          refused = true;
          bytes = Buffer.alloc(0);
          used = 0;
          shed(res);
          end();
          return true;
        }
        counted += Math.max(0, more);
        append(chunk);
        return true;
      }
      if (used > 0) push(bytes.subarray(0, used));
      const result = push(chunk);
      end();
      return result;
    };
    req.once('close', end);
  });
}

/** Counts bytes of incomplete bodies. Returns false, and counts nothing, if a limit would be exceeded. */
function hold({ id, session }: Sender, bytes: number): boolean {
  if (bytes === 0) return true;
  const own = (held.get(id) ?? 0) + bytes;
  const all = heldWithoutSession + (session ? 0 : bytes);
  if (bytes > 0 && (own > MAX_OF_CLIENT || all > MAX_WITHOUT_SESSION)) return false;
  heldWithoutSession = all;
  if (own > 0) held.set(id, own);
  else held.delete(id);
  return true;
}
