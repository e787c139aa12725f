import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { install, isInstalled } from '@/scripts/bootstrap/install.mjs';
import { tryLock } from '@/scripts/bootstrap/lock.mjs';

const PACKAGES = {
  'node_modules/server': { version: '1.0.0' },
  'node_modules/runner': { version: '2.0.0', dev: true },
  'node_modules/other-platform': { version: '3.0.0', optional: true },
};

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'install-'));
  write('package-lock.json', { packages: { '': {}, ...PACKAGES } });
});

afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, content: object): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify(content));
}

/** Writes the `package.json` of each package and npm's list of installed packages, as an installation does. */
function installByHand(...paths: (keyof typeof PACKAGES)[]): void {
  for (const path of paths) write(`${path}/package.json`, PACKAGES[path]);
  write('node_modules/.package-lock.json', {
    packages: Object.fromEntries(paths.map((path) => [path, PACKAGES[path]])),
  });
}

const unexpected = (line: string) => {
  throw new Error(`nothing is to be installed: ${line}`);
};

describe('an installation by hand', () => {
  test('without development packages is enough for a server, but not for tests', async () => {
    installByHand('node_modules/server');
    expect(isInstalled(root, false)).toBe(false);
    expect(await install(root, unexpected, false)).toBeNull();
    expect([isInstalled(root, false), isInstalled(root, true)]).toEqual([true, false]);
    await expect(install(root, unexpected, true)).rejects.toThrow('nothing is to be installed');
  });

  test('of all packages is enough for everything', async () => {
    installByHand('node_modules/server', 'node_modules/runner');
    expect(await install(root, unexpected, false)).toBeNull();
    expect([isInstalled(root, false), isInstalled(root, true)]).toEqual([true, true]);
  });

  test('of other versions is not enough', async () => {
    installByHand('node_modules/server');
    write('package-lock.json', { packages: { 'node_modules/server': { version: '1.0.1' } } });
    await expect(install(root, unexpected, false)).rejects.toThrow('nothing is to be installed');
  });
});

test('an installation for another platform or package-lock.json is not enough', async () => {
  installByHand('node_modules/server');
  await install(root, unexpected, false);
  const stamp = join(root, 'node_modules/.installed-from');
  const text = readFileSync(stamp, 'utf8');
  writeFileSync(stamp, text.replace(process.platform, 'other'));
  expect(isInstalled(root, false)).toBe(false);
  await expect(install(root, unexpected, false)).rejects.toThrow('nothing is to be installed');
  writeFileSync(stamp, text);
  expect(isInstalled(root, false)).toBe(true);
  write('package-lock.json', { packages: {} });
  expect(isInstalled(root, false)).toBe(false);
});

test('other packages are not installed while a server runs from the clone', async () => {
  const lock = await tryLock(root, 'server 0');
  try {
    expect(await install(root, unexpected, true)).toBe(
      `Process ${process.pid} runs from this clone, and installing would remove the packages that it uses. Stop it first, or use another clone.`,
    );
  } finally {
    if ('release' in lock) await lock.release();
  }
});

test('the packages that Next requires for a build are not development packages', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  for (const name of ['typescript', '@types/node', '@types/react', 'prisma', 'tsx', 'esbuild'])
    expect(dependencies).toHaveProperty([name]);
});
