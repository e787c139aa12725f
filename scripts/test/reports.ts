import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

export type Counts = { passed: number; failed: number };

export type FileTime = { file: string; seconds: number };

/** `test` is null for an error outside a test. */
export type Failure = { file: string; test: string | null; message: string };

/** What a test runner has reported. `times`: of each file, from the start of its first test to the end of its last one. */
export type Result = { counts: Counts; times: FileTime[]; failures: Failure[] };

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/** Reads Vitest's JSON report. Files that fail to load and skipped tests count as failures. */
export function readVitest(report: unknown): Result {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = vitestReport.parse(report);
  const files = testResults.map(({ name, ...result }) => ({ file: relative(process.cwd(), name), ...result }));
  const broken = files.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  return {
    counts: { passed: numPassedTests, failed: numFailedTests + numPendingTests + numTodoTests + broken.length },
    times: files.map(({ file, startTime, endTime }) => ({ file, seconds: (endTime - startTime) / 1000 })),
    failures: files.flatMap((one): Failure[] => {
      const { file, message, assertionResults } = one;
      if (broken.includes(one)) return [{ file, test: null, message }];
      return assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName, status, failureMessages: [first = status] }) => ({ file, test: fullName, message: first }));
    }),
  };
}

const errorMessage = z.object({ message: z.string().optional() });

const spec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ duration: z.number(), errors: z.array(errorMessage) })),
    }),
  ),
});

type Suite = { specs?: z.infer<typeof spec>[]; suites?: Suite[] };

const suite: z.ZodType<Suite> = z.object({
  specs: z.array(spec).optional(),
  get suites() {
    return z.array(suite).optional();
  },
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(suite),
  errors: z.array(errorMessage),
});

const specsIn = ({ specs = [], suites = [] }: Suite): z.infer<typeof spec>[] => [...specs, ...suites.flatMap(specsIn)];

/**
 * Reads Playwright's JSON report. A skipped test, a test that passes only on a retry, and an error outside a test count as
 * failures.
 */
export function readPlaywright(report: unknown): Result {
  const { stats, suites, errors } = playwrightReport.parse(report);
  const times = new Map<string, number>();
  const failures: Failure[] = [];
  for (const { title, file: name, tests } of suites.flatMap(specsIn)) {
    const file = `tests/e2e/${name}`;
    for (const { status, results } of tests) {
      const duration = results.reduce((sum, result) => sum + result.duration, 0);
      times.set(file, (times.get(file) ?? 0) + duration / 1000);
      if (status === 'expected') continue;
      failures.push({ file, test: title, message: results.flatMap((result) => result.errors)[0]?.message ?? status });
    }
  }
  return {
    counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length },
    times: [...times].map(([file, seconds]) => ({ file, seconds })),
    failures: [...failures, ...errors.map(({ message = '' }) => ({ file: 'tests/e2e', test: null, message }))],
  };
}

/**
 * Returns a group's final counts. A crash without a report, an exit code without a failed test, and a run without tests
 * are failures.
 */
export function settleCounts(counts: Counts | null, code: number | null): Counts {
  if (!counts) return { passed: 0, failed: 1 };
  if (counts.failed > 0) return counts;
  return code === 0 && counts.passed > 0 ? counts : { passed: counts.passed, failed: 1 };
}

/** Lines of a message. The test runner also prints the whole. */
const LINES = 16;

/** Returns the text of each failure: its file, its test, and the first lines of its message. */
export function failureTexts(failures: Failure[]): string[] {
  return failures.map(({ file, test: name, message }) => {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, LINES)
      .map((line) => `    ${line}`);
    return [`  ${name ? `${file} › ${name}` : file}`, ...lines].join('\n');
  });
}

/** Returns one line for each of the `count` slowest files. */
export function slowestFiles(times: FileTime[], count = 10): string[] {
  return [...times]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
