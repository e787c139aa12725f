import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureTexts, readPlaywright, readVitest, settleCounts, slowestFiles } from '@/scripts/test/reports';

const failed = (fullName: string, message: string) => ({ fullName, status: 'failed', failureMessages: [message] });
const other = (fullName: string, status: string) => ({ fullName, status, failureMessages: [] });

const vitestFile = (name: string, assertionResults: object[], message = '') => ({
  name: join(process.cwd(), name),
  status: 'failed',
  message,
  startTime: 1_000,
  endTime: 3_500,
  assertionResults,
});

it('reads the counts, times, and failures of Vitest: a file that does not load, and a skipped test, are failures', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      vitestFile('tests/unit/one.test.ts', [
        other('it passes', 'passed'),
        failed('it fails', 'expected 1 to be 2'),
        other('it is skipped', 'skipped'),
      ]),
      vitestFile('tests/unit/two.test.ts', [], 'no'),
    ],
  };
  expect(readVitest(report)).toEqual({
    counts: { passed: 5, failed: 3 },
    times: [
      { file: 'tests/unit/one.test.ts', seconds: 2.5 },
      { file: 'tests/unit/two.test.ts', seconds: 2.5 },
    ],
    failures: [
      { file: 'tests/unit/one.test.ts', test: 'it fails', message: 'expected 1 to be 2' },
      { file: 'tests/unit/one.test.ts', test: 'it is skipped', message: 'skipped' },
      { file: 'tests/unit/two.test.ts', test: null, message: 'no' },
    ],
  });
});

it('reads those of Playwright: a skipped or flaky test, and an error outside a test, are failures', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'team.spec.ts',
    tests: [{ status, results: [{ duration: 1_500, errors: messages.map((message) => ({ message })) }] }],
  });
  const report = {
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 1 },
    suites: [
      { specs: [spec('passes', 'expected'), spec('fails', 'unexpected', 'no button', 'closed')] },
      { suites: [{ specs: [spec('is skipped', 'skipped'), spec('is flaky', 'flaky', 'too slow')] }] },
    ],
    errors: [{ message: 'the setup failed' }],
  };
  expect(readPlaywright(report)).toEqual({
    counts: { passed: 3, failed: 4 },
    times: [{ file: 'tests/e2e/team.spec.ts', seconds: 6 }],
    failures: [
      { file: 'tests/e2e/team.spec.ts', test: 'fails', message: 'no button' },
      { file: 'tests/e2e/team.spec.ts', test: 'is skipped', message: 'skipped' },
      { file: 'tests/e2e/team.spec.ts', test: 'is flaky', message: 'too slow' },
      { file: 'tests/e2e', test: null, message: 'the setup failed' },
    ],
  });
});

it('counts a crash, a run without tests, and an unexplained exit code as one failure, and changes no other counts', () => {
  expect(settleCounts(null, 1)).toEqual({ passed: 0, failed: 1 });
  expect(settleCounts({ passed: 0, failed: 0 }, 0)).toEqual({ passed: 0, failed: 1 });
  expect(settleCounts({ passed: 7, failed: 0 }, 1)).toEqual({ passed: 7, failed: 1 });
  expect(settleCounts({ passed: 7, failed: 0 }, null)).toEqual({ passed: 7, failed: 1 });
  expect(settleCounts({ passed: 7, failed: 0 }, 0)).toEqual({ passed: 7, failed: 0 });
  expect(settleCounts({ passed: 7, failed: 2 }, 1)).toEqual({ passed: 7, failed: 2 });
});

it('prints the file, the test, and at most sixteen lines of the message, without colors, and the slowest files first', () => {
  const lines = Array.from({ length: 17 }, (_, index) => `line ${index + 1}`);
  const message = ['\u001B[31mfirst\u001B[39m', '', ...lines].join('\n');
  expect(failureTexts([{ file: 'a.test.ts', test: 'it fails', message }])).toEqual([
    ['  a.test.ts › it fails', ...['first', ...lines.slice(0, 15)].map((line) => `    ${line}`)].join('\n'),
  ]);
  expect(failureTexts([{ file: 'a.test.ts', test: null, message: 'no' }])).toEqual(['  a.test.ts\n    no']);
  const times = [1, 12.34, 5].map((seconds, index) => ({ file: `${index}.test.ts`, seconds }));
  expect(slowestFiles(times, 2)).toEqual(['   12.3 s  1.test.ts', '    5.0 s  2.test.ts']);
});
