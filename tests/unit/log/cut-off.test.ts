import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bundleProgram } from '@/tests/support/program';

/** A program that hangs in the second step of its shutdown. */
const PROGRAM = `
  import { stopOnSignals } from '@/scripts/server/signals';
  stopOnSignals(300, async (_kind, enter) => {
    enter('requests');
    enter('background');
    await new Promise(() => {});
  });
  setInterval(() => {}, 1_000);
  process.send('ready');
`;

test('a shutdown that takes too long ends, and the log names the step that hangs', async () => {
  const env = { ...process.env, LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [await bundleProgram(PROGRAM)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  try {
    if (!child.stdout || !child.stderr) throw new Error('the program has no output');
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    await once(child, 'message');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect((await output).join('')).toContain('"step":"background"');
  } finally {
    child.kill('SIGKILL');
  }
}, 20_000);
