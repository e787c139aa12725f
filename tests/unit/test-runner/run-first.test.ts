import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RUN_FIRST } from '@/tests/support/run-first';

test('every file that runs first exists', () => {
  expect(RUN_FIRST.filter((file) => !existsSync(file))).toEqual([]);
});
