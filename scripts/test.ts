// `npm test`: everything, on a production build and a real database. `npm test -- unit` runs one part of it, and
// further words narrow it to files: `npm test -- integration catalog`.
import { ensureBuild } from './start/build';
import { type Run, supervise } from './start/supervise';
import { startTestDatabase } from './test/database';
import { RUNNERS, type Runner } from './test/runners';

/** As shells report a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const say = (line: string) => console.log(line);

function choose(words: string[]): { runners: Runner[]; filters: string[] } {
  const names = new Set(RUNNERS.map((runner) => runner.name));
  const chosen = RUNNERS.filter((runner) => words.includes(runner.name));
  return { runners: chosen.length > 0 ? chosen : RUNNERS, filters: words.filter((word) => !names.has(word)) };
}

/** The caller's environment, less what would steer the servers under test or production-only code paths of the tools. */
function testEnvironment(databaseUrl: string | null): NodeJS.ProcessEnv {
  const { NODE_ENV, DATABASE_URL, DIRECT_DATABASE_URL, SECRET_KEY, ENVIRONMENT, DATA_DIR, PORT, ...rest } = process.env;
  const env: Record<string, string | undefined> = databaseUrl ? { ...rest, TEST_DATABASE_URL: databaseUrl } : rest;
  return env as NodeJS.ProcessEnv;
}

async function test(run: Run): Promise<number> {
  const { runners, filters } = choose(process.argv.slice(2));
  let passed = 0;
  let failed = 0;
  const count = (counts: { passed: number; failed: number }) => {
    passed += counts.passed;
    failed += counts.failed;
  };
  const step = async (runner: Runner, databaseUrl: string | null) => {
    say(`\n— ${runner.name} —`);
    count(await runner.run({ filters, env: testEnvironment(databaseUrl), signal: run.signal }));
  };
  for (const runner of runners.filter((one) => !one.needsServer)) await step(runner, null);
  const rest = runners.filter((one) => one.needsServer);
  if (rest.length > 0) {
    try {
      const [databaseUrl] = await Promise.all([
        startTestDatabase(run),
        ensureBuild(process.cwd(), say, run.signal, 'tests'),
      ]);
      for (const runner of rest) await step(runner, databaseUrl);
    } catch (error) {
      if (run.signal.aborted) throw error;
      console.error(error instanceof Error ? error.message : error);
      count({ passed: 0, failed: 1 });
    }
  }
  await run.stopAll();
  say(`\n${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

await supervise(test, INTERRUPTED);
