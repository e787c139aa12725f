import { startListener, stopListener } from './cache/listener';
import { flushLines } from './request-log/buffer';

/** Starts what runs beside the requests of this process. */
export function startBackground(): void {
  startListener();
}

/** Stops it; resolves when what was buffered is written. */
export async function stopBackground(): Promise<void> {
  await flushLines();
  await stopListener();
}
