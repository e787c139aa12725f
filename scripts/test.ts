// `npm test`: runs all checks and tests, on a production build and a real database. `npm test -- unit` runs one group.
// Other arguments select files: `npm test -- tests/unit/text`, `npm test -- integration catalog`.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureBuild } from './start/build';
import { type Run, supervise } from './start/supervise';
import { startTestDatabase } from './test/database';
import { nodeOptions, withoutSettings } from './test/environment';
import { type Output, orderedOutputs } from './test/output';
import { failureTexts, type Result, slowestFiles } from './test/reports';
import { RUNNERS, type Runner } from './test/runners';
import { type Selected, select, withLateFiles } from './test/select';

/** Tests record programs that are not installed here (see `hasProgram`), one JSON object per line. */
const NOT_RUN_FILE = '.cache/test/not-run.ndjson';

/** Of a shell command that Ctrl-C ended. */
const INTERRUPTED = 130;

/** They run after the browser tests, beside the rest of their group, which would otherwise run alone for minutes. */
const LATE = /^tests\/integration\/(?:bookings\/|webhooks\/|control-center\/(?!starvation))/;

type Job = { runner: Runner; files: string[] | null; output: Output };

const say = (line: string) => console.log(line);

function testEnvironment(databaseUrl: string | null): NodeJS.ProcessEnv {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const database = databaseUrl ? { TEST_DATABASE_URL: databaseUrl } : {};
  const own = { NOT_RUN_FILE: resolve(NOT_RUN_FILE), NODE_OPTIONS: nodeOptions(process.env) };
  return { ...withoutSettings(process.env), ...color, ...database, ...own } as unknown as NodeJS.ProcessEnv;
}

function jobsOf(selected: Selected[]): Job[] {
  const outputs = orderedOutputs(selected.length, (text) => process.stdout.write(text));
  return selected.flatMap(({ name, files }, index) => {
    const runner = RUNNERS.find((one) => one.name === name);
    const output = outputs[index];
    return runner && output ? [{ runner, files, output }] : [];
  });
}

async function runJob({ runner, files, output }: Job, run: Run, databaseUrl: string | null): Promise<Result> {
  const startedAt = Date.now();
  const { write } = output;
  write(`\n— ${runner.name} —\n`);
  const result = await runner.run({ files, env: testEnvironment(databaseUrl), signal: run.signal, write });
  const { passed, failed } = result.counts;
  write(`${runner.name}: ${passed} passed, ${failed} failed in ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  output.end();
  return result;
}

/** In parallel. The jobs of a lane run one after another. */
async function runLanes(lanes: Job[][], run: Run, databaseUrl: string | null): Promise<Result[]> {
  const results = await Promise.all(
    lanes.map(async (lane) => {
      const ofLane: Result[] = [];
      for (const job of lane) ofLane.push(await runJob(job, run, databaseUrl));
      return ofLane;
    }),
  );
  return results.flat();
}

async function prepare(run: Run): Promise<string> {
  const [databaseUrl] = await Promise.all([
    startTestDatabase(run),
    ensureBuild(process.cwd(), say, run.signal, 'tests'),
  ]);
  return databaseUrl;
}

/** A build or database that cannot be prepared is one failed test. */
async function runWithServer(jobs: Job[], run: Run, ready: Promise<unknown>): Promise<Result[]> {
  if (jobs.length === 0) return [];
  try {
    const [databaseUrl] = await Promise.all([prepare(run), ready]);
    // In parallel with the other groups. A second run of the same group is last among those.
    const longest = jobs.find((job) => job.runner.name === 'integration');
    const others = jobs.filter((job) => job !== longest);
    return await runLanes([longest ? [longest] : [], others], run, databaseUrl);
  } catch (error) {
    if (run.signal.aborted) throw error;
    console.error(error instanceof Error ? error.message : error);
    return [{ counts: { passed: 0, failed: 1 }, times: [], failures: [] }];
  }
}

/** A file may have recorded them several times. */
function notRun(): { tests: number; reason: string }[] {
  if (!existsSync(NOT_RUN_FILE)) return [];
  const lines = readFileSync(NOT_RUN_FILE, 'utf8').trim().split('\n');
  return [...new Set(lines)].map((line) => JSON.parse(line) as { tests: number; reason: string });
}

async function test(run: Run): Promise<number> {
  const startedAt = Date.now();
  rmSync(NOT_RUN_FILE, { force: true });
  const root = process.cwd();
  const selected = select(root, RUNNERS, process.argv.slice(2));
  const moved = { from: 'integration', after: 'e2e', late: (file: string) => LATE.test(file) };
  const jobs = jobsOf(withLateFiles(root, RUNNERS, selected, moved));
  const quick = jobs.filter((job) => !job.runner.needsServer);
  const first = runLanes(
    quick.map((job) => [job]),
    run,
    null,
  );
  // The other jobs use every CPU core.
  const second = runWithServer(
    jobs.filter((job) => job.runner.needsServer),
    run,
    first,
  );
  const results = (await Promise.all([first, second])).flat();
  await run.stopAll();
  const times = results.flatMap((result) => result.times);
  if (times.length > 1) say(`\nSlowest files:\n${slowestFiles(times).join('\n')}`);
  const failures = results.flatMap((result) => result.failures);
  // A terminal may not keep the start of a long output, so the failures are repeated at the end.
  if (failures.length > 0) say(`\nFailures:\n${failureTexts(failures).join('\n')}`);
  const sum = (key: 'passed' | 'failed') => results.reduce((total, { counts }) => total + counts[key], 0);
  for (const { tests, reason } of notRun()) say(`Not run here: ${tests} tests, because ${reason}.`);
  const skipped = notRun().reduce((total, { tests }) => total + tests, 0);
  say(`\nThe run took ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  // Continuous integration reads the counts from this last line, so the format of the line must not change.
  say(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return sum('failed') > 0 ? 1 : 0;
}

await supervise(test, INTERRUPTED);
