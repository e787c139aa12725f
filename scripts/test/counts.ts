import { z } from 'zod';

export type Counts = { passed: number; failed: number };

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.unknown()),
});

/**
 * Returns the counts of Vitest's JSON report. Files that fail to load and skipped tests count as failures.
 */
export function countVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = vitestReport.parse(report);
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + numPendingTests + numTodoTests + broken };
}

/**
 * Returns the counts of Playwright's JSON report. A skipped test, a test that passes only on a retry, and an error
 * outside a test count as failures.
 */
export function countPlaywright(report: unknown): Counts {
  const { stats, errors } = playwrightReport.parse(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
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
