import type { IncomingMessage } from 'node:http';
import { bodyTooLarge, bodyUnreadable } from '../partner-api/body';

/**
 * Returns the body of a request. Stops after `max` bytes. `limitBody` discards the rest of the body after the response.
 * @throws AppError invalid_request if the body is larger than `max` bytes, or if the connection breaks.
 */
export function readBytes(req: IncomingMessage, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => req.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= max) return;
      stop().pause();
      reject(bodyTooLarge());
    };
    const onEnd = () => {
      stop();
      resolve(Buffer.concat(chunks, size));
    };
    const onBroken = (cause?: unknown) => {
      stop();
      reject(bodyUnreadable(cause));
    };
    // A request that is already destroyed emits no events, so the promise would never settle.
    if (req.destroyed) onBroken();
    else req.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}
