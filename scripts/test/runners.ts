import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CHECKS, runCheck } from '../check/checks';
import { runGroup } from './group';
import { type Failure, type Result, readPlaywright, readVitest, settleCounts } from './reports';
import type { Group } from './select';

const REPORTS = '.cache/test';

const require = createRequire(import.meta.url);

/** Null `files` stand for all. */
export type Context = {
  files: string[] | null;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  write: (text: string) => void;
};

/** `needsServer`: the build and the database. */
export type Runner = Group & { needsServer: boolean; run: (context: Context) => Promise<Result> };

/** A missing or incomplete report means that the runner crashed, which counts as one failed test. */
function readReport(file: string, code: number | null, read: (report: unknown) => Result): Result {
  try {
    const result = read(JSON.parse(readFileSync(file, 'utf8')));
    return { ...result, counts: settleCounts(result.counts, code) };
  } catch {
    return { counts: settleCounts(null, code), times: [], failures: [] };
  }
}

let reports = 0;

/** Of its own for each run, because a group can have two runs at the same time. */
function freshReport(name: string): string {
  mkdirSync(REPORTS, { recursive: true });
  reports += 1;
  const file = join(process.cwd(), REPORTS, `${name}-${reports}.json`);
  rmSync(file, { force: true });
  return file;
}

export const VITEST = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');

function vitest(project: string, needsServer: boolean): Runner {
  return {
    name: project,
    directory: `tests/${project}`,
    suffix: '.test',
    needsServer,
    run: async ({ files, ...options }) => {
      const report = freshReport(project);
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const args = [VITEST, 'run', ...(files ?? []), '--project', project, ...reporters];
      const code = await runGroup(args, options);
      return readReport(report, code, readVitest);
    },
  };
}

const playwright: Runner = {
  name: 'e2e',
  directory: 'tests/e2e',
  suffix: '.spec',
  needsServer: true,
  run: async ({ files, env, ...options }) => {
    const report = freshReport('e2e');
    // Playwright reads its arguments as regular expressions.
    const patterns = (files ?? []).map((file) => `${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    const args = [require.resolve('@playwright/test/cli'), 'test', ...patterns, '--reporter=list,json'];
    const code = await runGroup(args, { ...options, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
    return readReport(report, code, readPlaywright);
  },
};

const check: Runner = {
  name: 'check',
  directory: null,
  suffix: '',
  needsServer: false,
  run: async ({ write }) => {
    const counts = { passed: 0, failed: 0 };
    const failures: Failure[] = [];
    for (const result of await Promise.all(CHECKS.map(runCheck))) {
      counts[result.passed ? 'passed' : 'failed'] += 1;
      write(`${result.passed ? 'ok    ' : 'FAILED'} ${result.title} (${result.seconds} s)\n`);
      if (result.passed) continue;
      write(`${result.output}\n`);
      failures.push({ file: 'check', test: result.title, message: result.output });
    }
    return { counts, times: [], failures };
  },
};

/** In the order of the printed results. */
export const RUNNERS: Runner[] = [
  check,
  vitest('unit', false),
  vitest('integration', true),
  vitest('contract', true),
  playwright,
];
