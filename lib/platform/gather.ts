import type { Duplex } from 'node:stream';
import type pg from 'pg';

/** Delays the statements of the current tick, so that all of them are sent in one packet. */
export function gather(client: pg.PoolClient): void {
  const { stream } = Reflect.get(client, 'connection') as { stream: Duplex };
  stream.cork();
  process.nextTick(() => stream.uncork());
}
