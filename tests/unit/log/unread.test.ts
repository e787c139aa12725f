import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bundleProgram } from '@/tests/support/program';

/** A program that logs more than a pipe can hold, and shuts down on SIGTERM. */
const PROGRAM = `
  import { log } from '@/lib/platform/log';
  import { stopOnSignals } from '@/scripts/server/signals';
  stopOnSignals(60_000, async () => {});
  for (let line = 0; line < 4_000; line++) log().warn('x '.repeat(500));
  setInterval(() => {}, 1_000);
  process.send('ready');
`;

test('a process whose log nothing reads ends on SIGTERM', async () => {
  const program = [await bundleProgram(PROGRAM)];
  // The test never reads the program's standard error, so the pipe fills up.
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  try {
    await once(child, 'message');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  } finally {
    child.kill('SIGKILL');
  }
}, 20_000);
