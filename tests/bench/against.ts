import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';
import { runQuietly } from '../../scripts/bootstrap/run.mjs';
import type { Figure, Outcome } from './figure';
import { measureCreate } from './figures/create';
import type { Stage } from './stage';

/** The benchmark measures the other commit twice: once before it measures this commit, and once afterward. */
const RUNS = 2;
/** Matches the row of the `create` benchmark in the printed table, and captures the requests per second. */
const CREATES = /^create\s+POST \/bookings\s+([\d,]+)/m;

/**
 * Returns the benchmark that measures how many bookings this commit and another commit create per second. Its value is
 * the rate of this commit divided by the rate of the other commit.
 */
export function createAgainst(commit: string, signal: AbortSignal): Figure {
  return {
    name: 'create-against',
    title: `create, requests/s ÷ those of ${commit}`,
    threshold: { atLeast: 1.6 },
    run: (stage) => measure(stage, commit, signal),
  };
}

async function measure(stage: Stage, commit: string, signal: AbortSignal): Promise<Outcome> {
  const directory = join(await mkdtemp(join(tmpdir(), 'partner-booking-bench-')), 'clone');
  try {
    await git('worktree', 'add', '--detach', directory, commit);
    stage.log(`Building ${commit} (a few minutes) …`);
    const before = await rateOfCreates(directory, signal);
    const { rows } = await measureCreate(stage);
    const after = await rateOfCreates(directory, signal);
    const rate = rows[0]?.rate ?? Number.NaN;
    const other = (before + after) / RUNS;
    const none = { p50: Number.NaN, p95: Number.NaN, p99: Number.NaN };
    const notes = [`requests/s of ${commit}, before and after: ${Math.round(before)} and ${Math.round(after)}`];
    return {
      value: rate / other,
      rows: [...rows, { label: `POST /bookings of ${commit}`, rate: other, ...none }],
      notes,
    };
  } finally {
    await git('worktree', 'remove', '--force', directory);
    await rm(join(directory, '..'), { recursive: true, force: true });
  }
}

/**
 * Runs git.
 * @throws StartError if git fails, for example because the commit is unknown
 */
async function git(...args: string[]): Promise<void> {
  const { code, output } = await runQuietly('git', args, { cwd: process.cwd() });
  if (code !== 0) throw new StartError(output.trim());
}

/** Runs the `create` benchmark in a worktree of the other commit. Returns requests per second. */
async function rateOfCreates(directory: string, signal: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, ['scripts/launch.mjs', 'bench', 'create'], { cwd: directory, signal });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  const rate = CREATES.exec(output)?.[1];
  if (!rate) throw new Error(`The benchmark of the other commit failed:\n${output.trim()}`);
  return Number(rate.replaceAll(',', ''));
}
