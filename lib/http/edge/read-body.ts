import type { Readable } from 'node:stream';
import { bodyTooLarge, bodyUnreadable } from '../partner-api/body';

/**
 * Returns the body of a request. Discards what exceeds `max` bytes, so that the client can send it and read the
 * response.
 * @throws AppError invalid_request if the body is larger, or if the connection breaks.
 */
export function readBytes(req: Readable, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const broken = (cause?: unknown) => reject(bodyUnreadable(cause));
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) return void chunks.push(chunk);
      chunks = [];
      reject(bodyTooLarge());
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', broken).once('close', broken);
    // A request that is already destroyed emits no events, so the promise would never settle.
    if (req.destroyed) broken();
  });
}
