import { workerCount } from '@/lib/platform/cluster';
import { redirectConsoleToLog } from '@/lib/platform/console-to-log';
import { env, SettingsError } from '@/lib/platform/env';
import { StartError } from '@/lib/platform/postgres/start-error';

async function main(): Promise<void> {
  const production = process.env.NODE_ENV === 'production';
  // In production, console output becomes log lines. In development, it stays text.
  if (production) redirectConsoleToLog();
  const workers = production ? workerCount(env()) : 1;
  // The primary process serves no requests and does not need the modules of `./server/serve`.
  if (workers > 1) await (await import('./server/primary')).runPrimary(workers);
  else await (await import('./server/serve')).serve();
}

main().catch((error: unknown) => {
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
});

function sentence(error: unknown): string {
  if (error instanceof SettingsError || error instanceof StartError) return error.message;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE')
      return 'The port is in use. Stop the process that uses it, or set PORT to another port.';
    if (error.code === 'EACCES') return 'This user is not allowed to use the port. Set PORT to another port.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : 'The server could not start.';
}
