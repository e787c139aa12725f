import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PARTS } from '@/scripts/package/folder';
import { IMAGE_STEPS } from '@/tests/support/image-steps';

type Instruction = { name: string; text: string };

/** Returns the instructions of a Dockerfile, each on one line, without comments. */
function parse(text: string): Instruction[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, text: rest.trim() };
    });
}

const instructions = parse(readFileSync('deploy/docker/Dockerfile', 'utf8'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const all = (name: string) => instructions.filter((one) => one.name === name).map(({ text }) => text);

/** The instructions of the last stage, which produces the image. */
const image = instructions.slice(instructions.map(({ name }) => name).lastIndexOf('FROM'));

const last = (name: string) => image.findLast((one) => one.name === name)?.text ?? '';

/** Returns the words of an instruction in exec form. Throws for an instruction in shell form. */
const words = (text: string): string[] => JSON.parse(text);

test('every stage has the same pinned image of a Node.js LTS, whose digest a build can add', () => {
  expect(all('FROM')).toEqual([`\${BASE} AS build`, `\${BASE}`]);
  const [base = ''] = all('ARG');
  expect(base).toMatch(/^BASE=node:(22|24|26)\.\d+\.\d+-bookworm-slim(@sha256:[0-9a-f]{64})?$/);
  // Before the first FROM, an argument is valid in all FROM lines.
  expect(instructions.map(({ name }) => name).slice(0, 2)).toEqual(['ARG', 'FROM']);
  expect(readFileSync('docs/containers.md', 'utf8')).toContain(base.replace(/@.*/, ''));
});

test('packages are in layers before the code, in the build and in the image', () => {
  const steps = instructions.map(({ name, text }) => `${name} ${text}`);
  const order = ['RUN node scripts/bootstrap/packages.mjs', 'ARG SOURCE_COMMIT', 'COPY . .'].map((step) =>
    steps.indexOf(step),
  );
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(Math.min(...order)).toBeGreaterThan(0);
  const copied = image.filter(({ name }) => name === 'COPY').map(({ text }) => text.split(' ').at(-1));
  expect(copied).toEqual(['/srv/booking/node_modules', '/data', '/backups', '/srv/booking']);
  // Without `COPY . .`, the step that installs has only these files.
  const [, before = ''] = steps.slice(0, order[0]).filter((step) => step.startsWith('COPY'));
  expect(before).toBe('COPY scripts/bootstrap scripts/bootstrap');
});

test('the steps are those that a test runs, without a shell construct', () => {
  expect(all('RUN')).toEqual(IMAGE_STEPS);
  for (const step of all('RUN')) expect(step).toMatch(/^[\w ./-]+$/);
});

test('the image runs as an unprivileged user, without a shell', () => {
  expect(last('USER')).toBe('node');
  const names = image.map(({ name }) => name);
  expect(names.indexOf('USER')).toBeGreaterThan(names.lastIndexOf('COPY'));
  expect(words(last('CMD'))).toEqual(['node', 'scripts/launch.mjs', 'start']);
  const [options = '', command = ''] = last('HEALTHCHECK').split(' CMD ');
  expect(options).toMatch(/--interval=\d+s --timeout=\d+s --start-period=\d+s --retries=\d/);
  const [program, file = ''] = words(command);
  expect([program, existsSync(file)]).toEqual(['node', true]);
  expect([last('STOPSIGNAL'), last('WORKDIR'), last('EXPOSE')]).toEqual(['SIGTERM', '/srv/booking', '3000']);
});

test('the image has the labels of its version', () => {
  for (const name of ['title', 'description', 'licenses'])
    expect(last('LABEL')).toContain(`org.opencontainers.image.${name}="`);
  expect(last('LABEL')).toContain(`org.opencontainers.image.version="${version}"`);
  expect(last('LABEL')).toContain('org.opencontainers.image.revision="$SOURCE_COMMIT"');
});

test('files come only from the sources and from earlier stages', () => {
  const allowed = new Set([
    'FROM',
    'ARG',
    'WORKDIR',
    'COPY',
    'RUN',
    'LABEL',
    'ENV',
    'USER',
    'VOLUME',
    'EXPOSE',
    'STOPSIGNAL',
  ]);
  for (const { name } of instructions) expect([...allowed, 'HEALTHCHECK', 'CMD']).toContain(name);
  const stages = all('FROM').flatMap((text) => / AS (\w+)$/.exec(text)?.[1] ?? []);
  for (const text of image.filter(({ name }) => name === 'COPY').map((one) => one.text))
    expect(stages).toContain(/^--from=(\w+) /.exec(text)?.[1]);
  expect(all('ENV').join(' ')).not.toMatch(/SECRET|PASSWORD|TOKEN|DATABASE_URL/);
});

test('the build gets only listed files, which exist', () => {
  const lines = readFileSync('deploy/docker/Dockerfile.dockerignore', 'utf8').split('\n').filter(Boolean);
  expect(lines.filter((line) => !line.startsWith('#'))[0]).toBe('*');
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of sent) expect([path, existsSync(path)]).toEqual([path, true]);
  for (const path of ['node_modules', '.next', '.data', '.env', '.git']) expect(sent).not.toContain(path);
  // Pages and a packaged folder contain these.
  for (const path of PARTS) expect(sent).toContain(path.split('/')[0]);
});
