import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A unit test compares these with the RUN lines in deploy/docker/Dockerfile. */
export const IMAGE_STEPS = [
  'node scripts/bootstrap/packages.mjs',
  'node scripts/launch.mjs package /srv/booking',
  'mv /srv/booking/node_modules /srv/node_modules',
  'install -d -m 700 /srv/data',
];

/** What an image build can read (`Dockerfile.dockerignore`), with hard links for `node_modules`. */
async function copyContext(directory: string): Promise<void> {
  const list = (await readFile('deploy/docker/Dockerfile.dockerignore', 'utf8')).split('\n');
  const [sent, excluded] = [list.filter((line) => line.startsWith('!')), list.filter((line) => /^[^#!*]/.test(line))];
  await mkdir(directory, { recursive: true });
  for (const line of sent) await cp(line.slice(1), join(directory, line.slice(1)), { recursive: true });
  for (const line of excluded) await rm(join(directory, line), { recursive: true, force: true });
  await promisify(execFile)('cp', ['-R', '-P', '-l', 'node_modules', join(directory, 'node_modules')]);
}

/**
 * Without Docker. `directory` must be in the repository, because hard links need the same file system. `target`
 * replaces `/srv`.
 */
export async function runImageSteps(directory: string, target: string): Promise<void> {
  await copyContext(directory);
  const { PATH, HOME } = process.env;
  for (const step of IMAGE_STEPS) {
    const [program = '', ...args] = step.split(' ').map((word) => word.replace(/^\/srv/, target));
    await promisify(execFile)(program, args, { cwd: directory, env: { PATH, HOME, NODE_ENV: 'production' } });
  }
  // As the COPY lines of the image.
  await rename(join(target, 'node_modules'), join(target, 'booking', 'node_modules'));
}
