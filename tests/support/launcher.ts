import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** When this line appears, the server accepts requests. */
const RUNNING = 'Press Ctrl-C to stop.';

/** Without npm, in its own process group, like a command in a terminal. */
export type Launch = {
  pid: number;
  output: () => string;
  /** @throws Error with the launcher's output if the launcher exits first. */
  saying: (text: string) => Promise<void>;
  running: () => Promise<void>;
  ended: () => Promise<number | null>;
  /** To the whole process group, as a terminal does after Ctrl-C. */
  interrupt: (signal: NodeJS.Signals) => void;
};

const launches = new Set<ChildProcess>();

/** With only these settings. Without PORT, the server chooses a free port. */
export function launch(settings: Record<string, string>, command: string[] = ['start'], root = ROOT): Launch {
  return run(settings, [process.execPath, 'scripts/launch.mjs', ...command], root);
}

const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** As process 1 of a new process namespace, if the system permits it. `terminate` sends SIGTERM to npm only. */
export async function launchAsContainer(
  settings: Record<string, string>,
): Promise<Launch & { terminate: () => Promise<void> }> {
  const [unshare = '', ...options] = NAMESPACE;
  const isolated = await promisify(execFile)(unshare, [...options, 'true']).then(
    () => true,
    () => false,
  );
  const started = run(settings, [...(isolated ? NAMESPACE : []), 'npm', 'start'], ROOT);
  const terminate = async () => {
    const [program = 0, first = 0] = await familyOf(started.pid);
    process.kill(isolated ? first : program, 'SIGTERM');
  };
  return { ...started, terminate };
}

// The repository can be on a different file system than `/`.
const READ_ONLY = `mount --bind "$DATA_DIR" "$DATA_DIR" && mount --bind . . && mount -o remount,ro,bind . &&
  cd . && mount -o remount,ro,bind / && ! touch .data-is-writable 2>/dev/null && exec "$@"`;

/** Only the data directory is writable, if the system permits mounting. */
export async function launchReadOnly(
  settings: Record<string, string> & { DATA_DIR: string },
  root = ROOT,
): Promise<Launch> {
  const command = [process.execPath, 'scripts/launch.mjs', 'start'];
  const isolated = await promisify(execFile)('unshare', ['--mount', 'true']).then(
    () => true,
    () => false,
  );
  return run(settings, [...(isolated ? ['unshare', '--mount', 'sh', '-c', READ_ONLY, 'sh'] : []), ...command], root);
}

function run(settings: Record<string, string>, [program = '', ...args]: string[], root: string): Launch {
  const { PATH, HOME, TMPDIR, NODE_OPTIONS } = process.env;
  const env = { PATH, HOME, TMPDIR, NODE_OPTIONS, PORT: '0', ...settings } as unknown as NodeJS.ProcessEnv;
  const child = spawn(program, args, { cwd: root, env, detached: true });
  launches.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      child.emit('output');
    });
  }
  const exit = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  const saying = async (text: string) => {
    while (!output.includes(text)) {
      const ended = await Promise.race([once(child, 'output').then(() => false), exit.then(() => true)]);
      if (ended) throw new Error(`the start ended with ${await exit}: ${output}`);
    }
  };
  const pid = child.pid ?? 0;
  return {
    pid,
    output: () => output,
    saying,
    running: () => saying(RUNNING),
    ended: () => exit,
    interrupt: (signal) => process.kill(-pid, signal),
  };
}

export async function endLaunches(): Promise<void> {
  for (const child of launches) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'close');
  }
}

const directories: string[] = [];

/** A path in a new directory with mode 0700. */
export async function freshDataDir(): Promise<string> {
  const parent = await mkdtemp(join(await realpath(tmpdir()), 'partner booking '));
  await chmod(parent, 0o700);
  directories.push(parent);
  return join(parent, 'data');
}

export async function clusterOf(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, 'postgres.path'), 'utf8')).trim();
}

const STATE_DIR = '/var/lib/partner-booking';

/**
 * With the clusters in `STATE_DIR` whose file `data-dir` names them. The path in `postgres.path` is not used, because a
 * wrong one would delete other data.
 */
export async function removeDataDirs(): Promise<void> {
  const ours = new Set(directories.map((parent) => join(parent, 'data')));
  for (const name of await readdir(STATE_DIR).catch(() => [])) {
    const state = join(STATE_DIR, name);
    const dataDir = await readFile(join(state, 'data-dir'), 'utf8').catch(() => null);
    if (dataDir !== null && ours.has(dataDir)) await rm(state, { recursive: true, force: true });
  }
  for (const parent of directories) await rm(parent, { recursive: true, force: true });
}

type Process = { pid: number; parent: number };

async function processes(): Promise<Process[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
    return stdout.split('\n').map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent };
    });
  }
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  return await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The state follows the process name in parentheses, which can contain spaces. A zombie counts as ended.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { pid: state === 'Z' ? 0 : pid, parent: Number(parent) };
    }),
  );
}

export async function familyOf(pid: number): Promise<number[]> {
  const all = await processes();
  const below = (parent: number): number[] => [
    parent,
    ...all.filter((one) => one.parent === parent && one.pid !== 0).flatMap((one) => below(one.pid)),
  ];
  return below(pid);
}

export async function stillRunning(pids: number[]): Promise<number[]> {
  const all = new Set((await processes()).map(({ pid }) => pid));
  return pids.filter((pid) => all.has(pid));
}

/** Null if there is no such file. */
export async function setupLinkOf(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, 'setup-link'), 'utf8').catch(() => null);
  return text?.trim() ?? null;
}
