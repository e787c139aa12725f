import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MAX_IMPORT_TIME } from '@/lib/booking/catalog/edit/write';
import type { ImportCall, ImportReply, ImportRunner } from '@/lib/booking/catalog/transfer/run';
import { log } from '@/lib/platform/log';
import { createTurns } from '@/lib/platform/turns';

/** MiB of heap. Without this limit, an import that needs more could end the whole process. */
const MAX_HEAP = 512;
/** Milliseconds of a thread: of the transaction, and of the check before it. */
const MAX_TIME = MAX_IMPORT_TIME + 10_000;

/** That run or wait. Each keeps its document in memory. */
const MAX_IMPORTS = 5;
/** So that other tenants find room. */
const MAX_OF_TENANT = 3;
const TOO_MANY: ImportReply = { refusal: { code: 'service_unavailable', details: { retryAfter: 10 } } };

const TOO_MUCH: ImportReply = {
  refusal: { code: 'service_unavailable', details: { message: 'The import took too long or too much memory.' } },
};

/** If several tenants wait, they take turns. */
const turns = createTurns(1);
/** Those that run or wait. */
const imports: string[] = [];

/** The build writes this program to the directory of the server file. */
const file = () => join(dirname(process.argv[1] ?? ''), 'import-thread.mjs');

/**
 * Runs an import in a new thread, because a large document takes many seconds of processor time. It has its own
 * database connection, in addition to those of `DATABASE_POOL`.
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
    /** The thread's database connection closes with it, which rolls its transaction back. */
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
