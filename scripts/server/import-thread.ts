// The program of the thread that imports one large catalog document (see `importInThread`).
import { parentPort, workerData } from 'node:worker_threads';
import { type ImportCall, runImport } from '@/lib/booking/catalog/transfer/run';
import { closeDb } from '@/lib/platform/db';

const reply = await runImport(workerData as ImportCall);
parentPort?.postMessage(reply);
await closeDb();
