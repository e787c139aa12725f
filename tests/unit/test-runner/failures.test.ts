import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureTexts, playwrightFailures, vitestFailures } from '@/scripts/test/failures';

const failed = (fullName: string, message: string) => ({ fullName, status: 'failed', failureMessages: [message] });

it('names the failed and skipped tests of Vitest, and the files that did not load', () => {
  const report = {
    testResults: [
      {
        name: join(process.cwd(), 'tests/unit/one.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'it passes', status: 'passed', failureMessages: [] },
          failed('it fails', 'expected 1 to be 2'),
          { fullName: 'it is skipped', status: 'skipped', failureMessages: [] },
        ],
      },
      { name: join(process.cwd(), 'tests/unit/two.test.ts'), status: 'failed', message: 'no', assertionResults: [] },
    ],
  };
  expect(vitestFailures(report)).toEqual([
    { file: 'tests/unit/one.test.ts', test: 'it fails', message: 'expected 1 to be 2' },
    { file: 'tests/unit/one.test.ts', test: 'it is skipped', message: 'skipped' },
    { file: 'tests/unit/two.test.ts', test: null, message: 'no' },
  ]);
});

it('names the failed, flaky, and skipped tests of Playwright, and the errors outside a test', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'team.spec.ts',
    tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }],
  });
  const report = {
    suites: [
      { specs: [spec('passes', 'expected'), spec('fails', 'unexpected', 'no button', 'closed')] },
      { suites: [{ specs: [spec('is skipped', 'skipped'), spec('is flaky', 'flaky', 'too slow')] }] },
    ],
    errors: [{ message: 'the setup failed' }],
  };
  expect(playwrightFailures(report)).toEqual([
    { file: 'tests/e2e/team.spec.ts', test: 'fails', message: 'no button' },
    { file: 'tests/e2e/team.spec.ts', test: 'is skipped', message: 'skipped' },
    { file: 'tests/e2e/team.spec.ts', test: 'is flaky', message: 'too slow' },
    { file: 'tests/e2e', test: null, message: 'the setup failed' },
  ]);
});

it('prints the file, the test, and at most six lines of the message, without colors', () => {
  const message = ['\u001B[31mone\u001B[39m', '', 'two', 'three', 'four', 'five', 'six', 'seven'].join('\n');
  expect(failureTexts([{ file: 'a.test.ts', test: 'it fails', message }])).toEqual([
    '  a.test.ts › it fails\n    one\n    two\n    three\n    four\n    five\n    six',
  ]);
  expect(failureTexts([{ file: 'a.test.ts', test: null, message: 'no' }])).toEqual(['  a.test.ts\n    no']);
});
