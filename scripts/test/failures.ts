import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** `test` is null for an error outside a test. */
export type Failure = { file: string; test: string | null; message: string };

/** Lines of a message. The test runner also prints the whole. */
const LINES = 6;

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/** Returns the failed, skipped, and todo tests of Vitest's JSON report, and the files that failed to load. */
export function vitestFailures(report: unknown): Failure[] {
  return vitestReport.parse(report).testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
    const file = relative(process.cwd(), name);
    if (status === 'failed' && assertionResults.length === 0) return [{ file, test: null, message }];
    return assertionResults
      .filter((result) => result.status !== 'passed')
      .map((result) => ({ file, test: result.fullName, message: result.failureMessages[0] ?? result.status }));
  });
}

type Suite = {
  specs?: { title: string; file: string; tests: Test[] }[];
  suites?: Suite[];
};

const errorMessage = z.object({ message: z.string().optional() });

const test = z.object({
  status: z.string(),
  results: z.array(z.object({ errors: z.array(errorMessage) })),
});
type Test = z.infer<typeof test>;

const suite: z.ZodType<Suite> = z.object({
  specs: z.array(z.object({ title: z.string(), file: z.string(), tests: z.array(test) })).optional(),
  get suites() {
    return z.array(suite).optional();
  },
});

const playwrightReport = z.object({ suites: z.array(suite), errors: z.array(errorMessage) });

function failuresIn({ specs = [], suites = [] }: Suite): Failure[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ status, results }) => ({
        file: `tests/e2e/${file}`,
        test: title,
        message: results.flatMap(({ errors }) => errors)[0]?.message ?? status,
      })),
  );
  return [...own, ...suites.flatMap(failuresIn)];
}

/** Returns the failed, flaky, and skipped tests of Playwright's JSON report, and the errors outside a test. */
export function playwrightFailures(report: unknown): Failure[] {
  const { suites, errors } = playwrightReport.parse(report);
  const outside = errors.map(({ message = '' }) => ({ file: 'tests/e2e', test: null, message }));
  return [...suites.flatMap(failuresIn), ...outside];
}

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
