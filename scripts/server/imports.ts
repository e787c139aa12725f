import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ImportCall, ImportReply, ImportRunner } from '@/lib/booking/catalog/transfer/run';
import { createTurns } from '@/lib/platform/turns';

/**
 * Maximum heap, in MiB, of the thread that runs an import. An import that needs more memory ends with an error. Without
 * this limit, such an import could end the whole process.
 */
const MAX_HEAP = 1_024;

/** Maximum number of imports that run or wait. Each one keeps its document in memory. */
const MAX_IMPORTS = 5;
/** The reply to an import that arrives while MAX_IMPORTS imports run or wait. */
const TOO_MANY: ImportReply = { refusal: { code: 'service_unavailable', details: { retryAfter: 10 } } };

/** Lets one import run at a time. If several tenants wait, they take turns. */
const turns = createTurns(1);
let imports = 0;

/** The path of the program that the thread runs. The build writes this program to the directory of the server file. */
const file = () => join(dirname(process.argv[1] ?? ''), 'import-thread.mjs');

/**
 * Runs an import in a new thread, because checking and writing a large document takes many seconds of processor time.
 * The thread has its own heap and its own database connection, in addition to the connections of `DATABASE_POOL`.
 */
export const importInThread: ImportRunner = async (call) => {
  if (imports >= MAX_IMPORTS) return TOO_MANY;
  imports += 1;
  const endTurn = await turns.take(call.by.tenantId);
  try {
    return await replyOf(call);
  } finally {
    imports -= 1;
    endTurn();
  }
};

function replyOf(call: ImportCall): Promise<ImportReply> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(file(), { workerData: call, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP } });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The import thread ended with exit code ${code}.`)));
  });
}
