import { beforeAll } from 'vitest';
import { testEveryStore } from './every-store';

// INSTANCES selects the store. Settings are read once per test file, so it is set before all tests.
beforeAll(() => {
  process.env.INSTANCES = '1';
});

testEveryStore();
