import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MAX_IMPORT_TIME } from '@/lib/booking/catalog/edit/write';
import type { ImportCall, ImportReply, ImportRunner } from '@/lib/booking/catalog/transfer/run';
import { log } from '@/lib/platform/log';
import { createTurns } from '@/lib/platform/turns';

/**
 * Maximum heap, in MiB, of the thread that runs an import. An import that needs more memory ends with an error. Without
 * this limit, such an import could end the whole process.
 */
const MAX_HEAP = 512;
/** Maximum milliseconds of a thread: of the transaction (`MAX_IMPORT_TIME`), and of the check before it. */
const MAX_TIME = MAX_IMPORT_TIME + 10_000;

/** Maximum number of imports that run or wait. Each one keeps its document in memory. */
const MAX_IMPORTS = 5;
/** The same maximum for one tenant, so that the others find room. */
const MAX_OF_TENANT = 3;
/** The reply to an import that arrives while MAX_IMPORTS imports run or wait. */
const TOO_MANY: ImportReply = { refusal: { code: 'service_unavailable', details: { retryAfter: 10 } } };

/** The reply to an import that takes more time or memory than one may. */
const TOO_MUCH: ImportReply = {
  refusal: { code: 'service_unavailable', details: { message: 'The import took too long or too much memory.' } },
};

/** Lets one import run at a time. If several tenants wait, they take turns. */
const turns = createTurns(1);
/** The tenants of the imports that run or wait. */
const imports: string[] = [];

/** The path of the program that the thread runs. The build writes this program to the directory of the server file. */
const file = () => join(dirname(process.argv[1] ?? ''), 'import-thread.mjs');

/**
 * Runs an import in a new thread, because checking and writing a large document takes many seconds of processor time.
 * The thread has its own heap and its own database connection, in addition to the connections of `DATABASE_POOL`.
 */
export const importInThread: ImportRunner = async (call) => {
  const { tenantId } = call.by;
  const ofTenant = imports.filter((other) => other === tenantId).length;
  if (imports.length >= MAX_IMPORTS || ofTenant >= MAX_OF_TENANT) return TOO_MANY;
  imports.push(tenantId);
  const endTurn = await turns.take(tenantId);
  try {
    return await replyOf(call);
  } finally {
    imports.splice(imports.indexOf(tenantId), 1);
    endTurn();
  }
};

function replyOf(call: ImportCall): Promise<ImportReply> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(file(), { workerData: call, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP } });
    /** Ends the thread. Its database connection closes with it, which rolls its transaction back. */
    const refuse = (why: string) => {
      log().warn({ request_id: call.requestId, why }, 'refused an import');
      resolve(TOO_MUCH);
      void thread.terminate();
    };
    const timer = setTimeout(() => refuse('it took too long'), MAX_TIME);
    thread.once('message', resolve);
    thread.once('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse('it needed too much memory');
      else reject(error);
    });
    thread.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The import thread ended with exit code ${code}.`));
    });
  });
}
