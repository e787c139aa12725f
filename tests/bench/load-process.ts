// The program of the load process: for each order from the parent process, it sends the requests and then a report.
import type { LoadOrder } from './load';
import { sendLoad } from './send';

process.on('message', (order: LoadOrder) => {
  sendLoad(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
// The IPC channel closes when the parent process ends.
process.on('disconnect', () => process.exit(0));
// SIGINT is ignored, because the parent process decides when to stop.
process.on('SIGINT', () => {});
