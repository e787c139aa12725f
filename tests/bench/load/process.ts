// The load process: takes one order after the other over the channel and answers each with its report.
import type { LoadOrder } from './order';
import { runLoad } from './run';

process.on('message', (order: LoadOrder) => {
  runLoad(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
// Whoever gives the orders is gone: there is nothing left to do.
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches the whole group; the one that gives the orders decides when it is over.
process.on('SIGINT', () => {});
