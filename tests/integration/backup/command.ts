import { expect } from 'vitest';
import { launch } from '@/tests/support/launcher';
import { codeBlocks } from '../docs/blocks';

/**
 * Runs the `backup`, `restore`, or `drill` command of docs/backup.md with `path` as the file, and with further options. Resolves
 * with the exit code and the output.
 */
export async function run(
  command: 'backup' | 'restore' | 'drill',
  path: string,
  settings: Record<string, string>,
  options: string[] = [],
) {
  const block = codeBlocks('').find(({ page, name }) => page === 'docs/backup.md' && name === command);
  const [, script = '', documented = ''] = /^npm run (\w+) -- (\S+)\n$/.exec(block?.code ?? '') ?? [];
  expect([script, documented]).toEqual([command, '/var/backups/booking.gz']);
  const running = launch(settings, [script, path, ...options]);
  return { code: await running.ended(), output: running.output().trim() };
}
