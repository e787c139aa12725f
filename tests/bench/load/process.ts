// The program of the load process. For each order (`LoadOrder`) that the parent process sends on the IPC channel, this
// program sends requests to a server, and then sends a report to the parent process.

import { type OpenOrder, runOpenLoad } from './open';
import type { LoadOrder } from './order';
import { runLoad } from './run';

process.on('message', (order: LoadOrder | OpenOrder) => {
  const running: Promise<unknown> = 'rate' in order ? runOpenLoad(order) : runLoad(order);
  running.then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
// The IPC channel closes when the parent process ends.
process.on('disconnect', () => process.exit(0));
// SIGINT is ignored, because the parent process decides when to stop.
process.on('SIGINT', () => {});
