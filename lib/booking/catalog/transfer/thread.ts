import { AppError } from '@/lib/contract/errors/app-error';
import { resetSingleton, singleton } from '@/lib/platform/singleton';
import { limitIssue } from './json';
import { type ImportCall, type ImportResult, type ImportRunner, runImport } from './run';

/**
 * Characters. In this thread, 16 MiB would stop all other requests for up to 1.1 s at a time. A thread takes about half
 * a second of processor time to start, longer than a shorter document's import.
 */
const LARGE = 256 * 1024;

const NAME = 'catalog:import-thread';

/** Sets the function that runs the imports of large documents. */
export function setImportThread(run: ImportRunner): void {
  resetSingleton(NAME);
  singleton(NAME, () => run);
}

/**
 * Runs an import or a check, of a large document in a separate thread if `setImportThread` has been called.
 * @throws AppError like `applyImport` and `checkImport`; service_unavailable if too many imports are waiting.
 */
export async function importDocument(call: ImportCall): Promise<ImportResult> {
  const inThread = call.text.length > LARGE && limitIssue(call.text) === null;
  const run = inThread ? singleton<ImportRunner>(NAME, () => runImport) : runImport;
  const reply = await run(call);
  if ('result' in reply) return reply.result;
  throw new AppError(reply.refusal.code, reply.refusal.details);
}
