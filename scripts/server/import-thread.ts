// The program of the thread that imports one large catalog document (see `importInThread`).
import { parentPort, workerData } from 'node:worker_threads';
import { type ImportCall, runImport } from '@/lib/booking/catalog/transfer/run';
import { closeDb } from '@/lib/platform/db';
import { inControlCenter } from '@/lib/platform/tenant-scope';

const call = workerData as ImportCall;
const reply = await inControlCenter(call.by.tenantId, () => runImport(call));
parentPort?.postMessage(reply);
await closeDb();
