import { createHash } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A lock is a local socket on which a process listens. The kernel closes the socket when the process ends, so
// nothing remains to be removed, except on macOS (see `listenOnFile`). A file lock is not used, because Node has no
// flock().

/** Milliseconds for which a new socket file must exist before the lock counts as taken (see `listenOnFile`). */
const SETTLE_MS = 50;

/**
 * Returns the address of a lock's socket. The address depends on the directory's inode instead of its path, because
 * several paths can lead to the same directory.
 * @param {string} directory
 * @param {string} purpose distinguishes the locks of one directory
 */
async function socketAddress(directory, purpose) {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `partner-booking-${createHash('sha256').update(`${dev}:${ino}:${purpose}`).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return { address: `\0${name}`, isFile: false };
  if (process.platform === 'win32') return { address: `\\\\.\\pipe\\${name}`, isFile: false };
  return { address: join(tmpdir(), name), isFile: true };
}

/** A held lock. `release` also disconnects the waiting processes. They then try to take the lock. */
/** @typedef {{ release: () => Promise<void> }} Lock */

/** @param {string} address @returns {Promise<Lock | null>} null when the address is in use */
function listen(address) {
  return new Promise((resolve, reject) => {
    // The server sends its process id to each process that connects, and keeps the connection open until the lock is
    // released.
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.unref();
      socket.write(`${process.pid}\n`);
      held.add(socket);
      socket.on('close', () => held.delete(socket));
    });
    const held = new Set();
    /** @returns {Promise<void>} */
    const release = () =>
      new Promise((released) => {
        server.close(() => released());
        // The processes that wait for the lock keep their connections open.
        for (const socket of held) socket.destroy();
      });
    server.once('error', (error) => {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(address, () => {
      server.unref();
      resolve({ release });
    });
  });
}

/**
 * Connects to the socket of a lock. Resolves with the process id that the holder sends, or with null if there is no
 * holder. If `until` is 'greeting', resolves as soon as the process id arrives, or with null after one second. If it is
 * 'release', resolves only when the lock is released.
 * @param {string} address
 * @param {'greeting' | 'release'} until
 * @returns {Promise<number | null>}
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
 * Listens on a socket that is a file (macOS). Returns null if another process listens on the socket. If the process
 * that created the file was killed, removes the file. If two processes call this function at the same time, one process
 * can remove the new file of the other. Each process therefore checks after SETTLE_MS that its own file still exists.
 * @param {string} address
 */
async function listenOnFile(address) {
  const first = await listen(address);
  if (first) return first;
  if (await isAnswered(address)) return null;
  await unlink(address).catch(() => {});
  const lock = await listen(address);
  if (!lock) return null;
  const before = await stat(address).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const after = await stat(address).catch(() => null);
  if (before && after && before.ino === after.ino) return lock;
  await lock.release();
  return null;
}

/**
 * Maximum milliseconds to wait for a lock whose holder sends no process id. Such a holder is a process that is ending.
 * The lock will soon be free, because the kernel frees the socket's address after it has closed the connections.
 */
const ENDING_MS = 500;

/**
 * Tries to take the lock of a directory. If the process that holds the lock is ending, waits for it, for at most
 * `ENDING_MS`.
 * @param {string} directory an existing directory
 * @param {string} purpose distinguishes the locks of one directory
 * @returns {Promise<Lock | { holder: number | null }>} the lock, or the process id of its holder, if known
 */
export async function tryLock(directory, purpose) {
  const { address, isFile } = await socketAddress(directory, purpose);
  const deadline = performance.now() + ENDING_MS;
  for (;;) {
    const lock = await (isFile ? listenOnFile(address) : listen(address));
    if (lock) return lock;
    const holder = await ask(address, 'greeting');
    if (holder !== null || performance.now() > deadline) return { holder };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Processes that can be registered as users of a directory. */
const PLACES = 16;

/**
 * Registers this process as a user of a directory until the process exits. Does nothing if `PLACES` processes are
 * already registered.
 * @param {string} directory
 * @param {string} purpose
 */
export async function joinUsers(directory, purpose) {
  for (let place = 0; place < PLACES; place++) {
    if ('release' in (await tryLock(directory, `${purpose} ${place}`))) return;
  }
}

/**
 * Returns the id of a process that is registered as a user of a directory, or null if no process is.
 * @param {string} directory
 * @param {string} purpose
 * @returns {Promise<number | null>}
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
 * Waits until no process holds the lock, but at most `milliseconds`.
 * @param {string} directory @param {string} purpose @param {number} milliseconds
 */
export async function untilReleased(directory, purpose, milliseconds) {
  const { address } = await socketAddress(directory, purpose);
  let timer = /** @type {NodeJS.Timeout | undefined} */ (undefined);
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([ask(address, 'release'), late]);
  clearTimeout(timer);
}

/**
 * Waits for the lock, and runs `work` while holding it.
 * @template T
 * @param {string} directory
 * @param {string} purpose
 * @param {() => void} onWait called once if another process holds the lock
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
