import { beforeAll } from 'vitest';
import { testEveryStore } from './every-store';

// INSTANCES selects where the rate limits are stored. Settings are read once per test file, so this variable is set
// before all tests.
beforeAll(() => {
  process.env.INSTANCES = '1';
});

testEveryStore();
