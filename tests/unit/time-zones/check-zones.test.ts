import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { bundleProgram } from '@/tests/support/program';

type Failed = { code: number; stdout: string };

/** Runs `npm run check:zones` with another registry, which must not know the package. */
async function checkWith(registry: string): Promise<Failed> {
  const env = { ...process.env, npm_config_registry: registry, npm_config_fetch_retries: '0' };
  const run = promisify(execFile)(process.execPath, [await bundleProgram("import './scripts/zones'")], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: Failed) => error,
  );
}

test('a registry that does not answer, or has no answer, is not taken for one without newer rules', async () => {
  const empty = createServer((_, response) => response.writeHead(404).end('{}'));
  await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void empty.close());
  const { port } = empty.address() as AddressInfo;
  const answers = await Promise.all(['http://127.0.0.1:1/', `http://127.0.0.1:${port}/`].map(checkWith));
  for (const { code, stdout } of answers) {
    expect(code).toBe(2);
    expect(stdout).toContain(`Could not compare the time zone rules ${ZONE_RULES} with npm: `);
  }
}, 120_000);
