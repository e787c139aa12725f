// `npm run check:zones`: says whether npm has newer time zone rules than this release. With `--write`, takes them over:
// generates lib/platform/time-zones/rules.ts from the newest version of the package.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ZONE_RULES, ZONE_SOURCE } from '@/lib/platform/time-zones/rules';
import { packedFile, packRules } from './zones/pack';

const PACKAGE = 'moment-timezone';
const FILE = 'lib/platform/time-zones/rules.ts';
const TIMEOUT_MS = 60_000;

const run = promisify(execFile);
const json = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

async function download(version: string, directory: string): Promise<string> {
  const options = { cwd: directory, timeout: TIMEOUT_MS };
  const { stdout } = await run('npm', ['pack', '--json', `${PACKAGE}@${version}`], options);
  const [{ filename }] = z.tuple([z.object({ filename: z.string() })]).parse(JSON.parse(stdout));
  await run('tar', ['-xzf', filename], options);
  return join(directory, 'package');
}

async function compare(write: boolean): Promise<void> {
  const { stdout } = await run('npm', ['view', PACKAGE, 'version'], { timeout: TIMEOUT_MS });
  const source = `${PACKAGE} ${stdout.trim()}`;
  if (source === ZONE_SOURCE && !write) {
    console.log(`The time zone rules ${ZONE_RULES} are the newest on npm (${source}).`);
    return;
  }
  const directory = await mkdtemp(join(tmpdir(), 'zones-'));
  try {
    const files = await download(stdout.trim(), directory);
    const packed = await json(join(files, 'data/packed/latest.json'));
    const { version } = packedFile.parse(packed);
    if (write) {
      const meta = await json(join(files, 'data/meta/latest.json'));
      const license = await readFile(join(files, 'LICENSE'), 'utf8');
      await writeFile(FILE, packRules(packed, meta, source, license));
      console.log(`Wrote the time zone rules ${version} (${source}) to ${FILE}.`);
    } else if (version === ZONE_RULES) {
      console.log(`The time zone rules ${ZONE_RULES} are the newest on npm. ${source} has the same.`);
    } else {
      console.log(`npm has newer time zone rules: ${version} (${source}). This release has ${ZONE_RULES}.`);
      console.log('Run `npm run check:zones -- --write`, then `npm test`, and release the result.');
      process.exitCode = 1;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

try {
  await compare(process.argv.includes('--write'));
} catch (error) {
  const cause = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  console.log(`Could not compare the time zone rules ${ZONE_RULES} with npm: ${cause}`);
  process.exitCode = 2;
}
