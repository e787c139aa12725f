import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CHECKS, runCheck } from '../check/checks';
import { type Counts, countPlaywright, countVitest, settleCounts } from './counts';
import { runGroup } from './group';

const REPORTS = '.cache/test';

const require = createRequire(import.meta.url);

/** What a runner gets: the files it is narrowed to, its environment, and the signal to stop. */
type Context = { filters: string[]; env: NodeJS.ProcessEnv; signal: AbortSignal };

/** One part of the test run. `needsServer` says that the build and the database must be there. */
export type Runner = { name: string; needsServer: boolean; run: (context: Context) => Promise<Counts> };

/** A report that is not there or not whole says that the runner crashed. */
function readReport(file: string, count: (report: unknown) => Counts): Counts | null {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function freshReport(name: string): string {
  mkdirSync(REPORTS, { recursive: true });
  const file = join(process.cwd(), REPORTS, `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

function vitest(project: string, needsServer: boolean): Runner {
  const program = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
  return {
    name: project,
    needsServer,
    run: async ({ filters, env, signal }) => {
      const report = freshReport(project);
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const args = [program, 'run', ...filters, '--project', project, ...reporters];
      const code = await runGroup(args, env, signal);
      return settleCounts(readReport(report, countVitest), code);
    },
  };
}

const playwright: Runner = {
  name: 'e2e',
  needsServer: true,
  run: async ({ filters, env, signal }) => {
    const report = freshReport('e2e');
    const args = [require.resolve('@playwright/test/cli'), 'test', ...filters, '--reporter=list,json'];
    const code = await runGroup(args, { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report }, signal);
    return settleCounts(readReport(report, countPlaywright), code);
  },
};

const check: Runner = {
  name: 'check',
  needsServer: false,
  run: async () => {
    const counts = { passed: 0, failed: 0 };
    for (const result of await Promise.all(CHECKS.map(runCheck))) {
      counts[result.passed ? 'passed' : 'failed'] += 1;
      console.log(`${result.passed ? 'ok    ' : 'FAILED'} ${result.title} (${result.seconds} s)`);
      if (!result.passed) console.log(result.output);
    }
    return counts;
  },
};

/** Every part of the test run, in order. */
export const RUNNERS: Runner[] = [
  check,
  vitest('unit', false),
  vitest('integration', true),
  vitest('contract', true),
  playwright,
];
