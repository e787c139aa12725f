import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUser, joinUsers, tryLock, withLock } from '@/scripts/bootstrap/lock.mjs';
import { awaitStopping } from '@/scripts/start/data-dir';

let directory = '';

// A new directory can get the inode of a deleted one, and with it the locks that a process of another test still holds.
beforeAll(async () => {
  do directory = await mkdtemp(join(tmpdir(), 'partner-booking-lock-'));
  while (!(await isFree('data')) || !(await isFree('stopping 0')));
});

async function isFree(purpose: string): Promise<boolean> {
  const lock = await tryLock(directory, purpose);
  if ('release' in lock) await lock.release();
  return 'release' in lock;
}

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Starts a process that takes locks and keeps them. Resolves once the process holds the locks. */
async function holder(...purposes: string[]) {
  const lock = new URL('../../../scripts/bootstrap/lock.mjs', import.meta.url).href;
  const program = `const { tryLock } = await import(${JSON.stringify(lock)});
    for (const purpose of ${JSON.stringify(purposes)}) (await tryLock(${JSON.stringify(directory)}, purpose)).release.name;
    console.log('held');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

describe('the lock of a directory', () => {
  it('is held by one process at a time, names its holder, and is free once the holder is killed', async () => {
    const child = await holder('kill');
    expect(await tryLock(directory, 'kill')).toEqual({ holder: child.pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await tryLock(directory, 'kill')).toHaveProperty('release');
  });

  it('is the same under another path of the directory, and differs by purpose', async () => {
    const other = `${directory}-link`;
    await symlink(directory, other);
    const lock = await tryLock(directory, 'name');
    expect(await tryLock(other, 'name')).toEqual({ holder: process.pid });
    expect(await tryLock(other, 'something else')).toHaveProperty('release');
    if ('release' in lock) await lock.release();
    expect(await tryLock(other, 'name')).toHaveProperty('release');
    await rm(other);
  });

  it('is taken from a holder that is ending, whose connections close before its address is free', async () => {
    const lock = await tryLock(directory, 'ending');
    const names = (await readFile('/proc/net/unix', 'utf8')).match(/(?<=@)partner-booking-\w+/g) ?? [];
    if ('release' in lock) await lock.release();
    const left = await readFile('/proc/net/unix', 'utf8');
    const address = names.find((name) => !left.includes(name));
    const ending = createServer((socket) => socket.destroy()).listen(`\0${address}`);
    await once(ending, 'listening');
    setTimeout(() => ending.close(), 100);
    expect(await tryLock(directory, 'ending')).toHaveProperty('release');
  });

  it('makes another process wait for its release', async () => {
    const child = await holder('wait');
    let waited = false;
    const done = withLock(
      directory,
      'wait',
      () => child.kill('SIGKILL'),
      async () => {
        waited = true;
      },
    );
    await done;
    expect(waited).toBe(true);
  });

  it('can be released while another process waits for it', async () => {
    const lock = await tryLock(directory, 'handover');
    let released: Promise<void> | null = null;
    const release = () => {
      released = 'release' in lock ? lock.release() : null;
    };
    // The pause gives `withLock` time to connect to the lock's socket before the lock is released.
    const waiting = () => void setTimeout(release, 50);
    expect(await withLock(directory, 'handover', waiting, async () => 'taken')).toBe('taken');
    await released;
    expect(released).not.toBeNull();
  });

  it('makes a start wait for another start that is stopping, but not for one that is running', async () => {
    const said: string[] = [];
    const running = await holder('data');
    await awaitStopping(directory, 0, (line) => said.push(line));
    running.kill('SIGKILL');
    await once(running, 'exit');
    const stopping = await holder('data', 'stopping 0');
    await awaitStopping(directory, 0, (line) => {
      said.push(line);
      stopping.kill('SIGKILL');
    });
    expect(said).toEqual([`Waiting for process ${stopping.pid}, which is stopping …`]);
    expect(await isFree('data')).toBe(true);
  });

  it('finds a registered user of a directory', async () => {
    expect(await findUser(directory, 'use')).toBeNull();
    await joinUsers(directory, 'use');
    expect(await findUser(directory, 'use')).toBe(process.pid);
  });
});
