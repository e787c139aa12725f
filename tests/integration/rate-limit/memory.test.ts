import { beforeAll } from 'vitest';
import { testEveryStore } from './every-store';

// INSTANCES selects the store. Settings are read once per test file.
beforeAll(() => {
  process.env.INSTANCES = '1';
});

testEveryStore();
