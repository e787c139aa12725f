import { createHash } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A lock is a listening local socket. The kernel closes it with its process, however that ends, so a lock is never
// stale and no clean-up can race with another start. Node offers no flock().

/** How long a socket file must survive before it counts as ours, where sockets are files (see `listenOnFile`). */
const SETTLE_MS = 50;

/**
 * The name follows the directory itself, not its path: a symbolic link or another spelling is the same lock.
 * @param {string} directory @param {string} purpose
 */
async function socketAddress(directory, purpose) {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `partner-booking-${createHash('sha256').update(`${dev}:${ino}:${purpose}`).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return { address: `\0${name}`, isFile: false };
  if (process.platform === 'win32') return { address: `\\\\.\\pipe\\${name}`, isFile: false };
  return { address: join(tmpdir(), name), isFile: true };
}

/** @param {string} address @returns {Promise<import('node:net').Server | null>} null when somebody listens there */
function listen(address) {
  return new Promise((resolve, reject) => {
    // Whoever asks is told who holds the lock, and keeps the connection to notice the release.
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.unref();
      socket.write(`${process.pid}\n`);
      held.add(socket);
      socket.on('close', () => held.delete(socket));
    });
    const held = new Set();
    server.on('close', () => {
      for (const socket of held) socket.destroy();
    });
    server.once('error', (error) => {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

/**
 * Connects to a holder. `until: 'greeting'` resolves with the holder's process id, `'release'` when it lets go;
 * both resolve null when nobody is there.
 * @param {string} address @param {'greeting' | 'release'} until @returns {Promise<number | null>}
 */
function ask(address, until) {
  return new Promise((resolve) => {
    const socket = connect({ path: address });
    let holder = /** @type {number | null} */ (null);
    socket.on('data', (data) => {
      holder = Number.parseInt(data.toString(), 10) || null;
      if (until === 'greeting') socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(holder));
    if (until === 'greeting') socket.setTimeout(1_000, () => socket.destroy());
  });
}

/** @param {string} address */
async function isAnswered(address) {
  return await new Promise((resolve) => {
    const socket = connect({ path: address }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/**
 * Where sockets are files (macOS), the file outlives a killed process: one that nobody answers is removed. Two starts
 * may do so at once and the later one remove the earlier one's new file, so each looks whether its own is still there.
 * @param {string} address
 */
async function listenOnFile(address) {
  const first = await listen(address);
  if (first) return first;
  if (await isAnswered(address)) return null;
  await unlink(address).catch(() => {});
  const server = await listen(address);
  if (!server) return null;
  const before = await stat(address).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const after = await stat(address).catch(() => null);
  if (before && after && before.ino === after.ino) return server;
  server.close();
  return null;
}

/**
 * Takes the lock of a directory for a purpose, without waiting.
 * @param {string} directory an existing directory @param {string} purpose
 * @returns {Promise<{ release: () => Promise<void> } | { holder: number | null }>} the lock, or who has it
 */
export async function tryLock(directory, purpose) {
  const { address, isFile } = await socketAddress(directory, purpose);
  const server = await (isFile ? listenOnFile(address) : listen(address));
  if (!server) return { holder: await ask(address, 'greeting') };
  return { release: () => new Promise((resolve) => server.close(() => resolve())).then(() => {}) };
}

/** How many processes may use one thing at a time. */
const PLACES = 16;

/**
 * Takes one of the places of a directory that several processes use at a time; kept until the process ends.
 * @param {string} directory @param {string} purpose
 */
export async function joinUsers(directory, purpose) {
  for (let place = 0; place < PLACES; place++) {
    if ('release' in (await tryLock(directory, `${purpose} ${place}`))) return;
  }
}

/**
 * Returns the process id of somebody in one of those places, or null when nobody is.
 * @param {string} directory @param {string} purpose @returns {Promise<number | null>}
 */
export async function findUser(directory, purpose) {
  for (let place = 0; place < PLACES; place++) {
    const { address } = await socketAddress(directory, `${purpose} ${place}`);
    const holder = await ask(address, 'greeting');
    if (holder) return holder;
  }
  return null;
}

/**
 * Runs `work` while holding the lock, waiting for it as long as somebody else has it.
 * @template T
 * @param {string} directory @param {string} purpose
 * @param {() => void} onWait called once, when there is somebody to wait for
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(directory, purpose, onWait, work) {
  let lock = await tryLock(directory, purpose);
  if (!('release' in lock)) onWait();
  while (!('release' in lock)) {
    const { address } = await socketAddress(directory, purpose);
    await ask(address, 'release');
    lock = await tryLock(directory, purpose);
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
