import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from './start-error';

const run = promisify(execFile);

/** The system user that runs PostgreSQL. */
export type Owner = { uid: number; gid: number };

const USER = 'partner-booking';

/** Commands that create the system user. The first is for most Linux distributions, the second for BusyBox (Alpine). */
const CREATE: [string, string[]][] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', USER]],
  ['adduser', ['-S', '-D', '-H', '-s', '/bin/false', USER]],
];

async function findUser(name: string): Promise<Owner | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
    );
    return uid && gid ? { uid, gid } : null;
  } catch {
    return null;
  }
}

async function createUser(): Promise<Owner | null> {
  for (const [command, args] of CREATE) {
    await run(command, args).catch(() => null);
    const created = await findUser(USER);
    if (created) return created;
  }
  return null;
}

/** Returns whether this process runs as root. PostgreSQL itself refuses to run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns the unprivileged user that runs PostgreSQL when this process is root. The first choice is an existing user
 * `partner-booking`, then `postgres`, then a new user `partner-booking`, then `nobody`.
 * @throws StartError if none of these users exists or can be created.
 */
export async function unprivilegedOwner(): Promise<Owner> {
  const owner =
    (await findUser(USER)) ?? (await findUser('postgres')) ?? (await createUser()) ?? (await findUser('nobody'));
  if (owner) return owner;
  throw new StartError(
    'PostgreSQL cannot run as root, and no other user is available. Run this command as another user.',
  );
}
