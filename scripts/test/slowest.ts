import { relative } from 'node:path';
import { z } from 'zod';

export type FileTime = { file: string; seconds: number };

const vitestReport = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});

/** Returns the duration of each test file, from the start of its first test to the end of its last one. */
export function vitestTimes(report: unknown): FileTime[] {
  return vitestReport.parse(report).testResults.map(({ name, startTime, endTime }) => ({
    file: relative(process.cwd(), name),
    seconds: (endTime - startTime) / 1000,
  }));
}

type Suite = {
  specs?: { tests: { results: { duration: number }[] }[] }[];
  suites?: Suite[];
};

const suite: z.ZodType<Suite> = z.object({
  specs: z
    .array(z.object({ tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })) }))
    .optional(),
  get suites() {
    return z.array(suite).optional();
  },
});

const playwrightReport = z.object({ suites: z.array(z.intersection(suite, z.object({ file: z.string() }))) });

function milliseconds({ specs = [], suites = [] }: Suite): number {
  const own = specs.flatMap((spec) => spec.tests).flatMap((test) => test.results);
  return own.reduce((sum, { duration }) => sum + duration, 0) + suites.reduce((sum, one) => sum + milliseconds(one), 0);
}

/** Returns, from Playwright's JSON report, the total duration of the tests in each file. */
export function playwrightTimes(report: unknown): FileTime[] {
  return playwrightReport
    .parse(report)
    .suites.map((one) => ({ file: `tests/e2e/${one.file}`, seconds: milliseconds(one) / 1000 }));
}

/** Returns one line for each of the `count` slowest files. */
export function slowestFiles(times: FileTime[], count = 10): string[] {
  return [...times]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
