import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, settleCounts } from '@/scripts/test/counts';

const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 };

describe('the count of a test run', () => {
  it('counts a file that fails to load, and a skipped test, as failures', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    expect(countVitest({ ...report, numPendingTests: 2, testResults })).toEqual({ passed: 5, failed: 3 });
  });

  it('counts a test that passes only on a retry as a failure', () => {
    expect(countPlaywright({ stats: { ...stats, flaky: 1 }, errors: [] })).toEqual({ passed: 3, failed: 1 });
  });

  it('counts a crash, a run without tests, and an unexplained exit code as one failure', () => {
    expect(settleCounts(null, 1)).toEqual({ passed: 0, failed: 1 });
    expect(settleCounts({ passed: 0, failed: 0 }, 0)).toEqual({ passed: 0, failed: 1 });
    expect(settleCounts({ passed: 7, failed: 0 }, 1)).toEqual({ passed: 7, failed: 1 });
    expect(settleCounts({ passed: 7, failed: 0 }, null)).toEqual({ passed: 7, failed: 1 });
  });

  it('does not change the counts of other runs', () => {
    expect(settleCounts(countVitest(report), 0)).toEqual({ passed: 5, failed: 0 });
    expect(settleCounts({ passed: 7, failed: 2 }, 1)).toEqual({ passed: 7, failed: 2 });
  });
});
