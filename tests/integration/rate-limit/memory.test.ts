import { beforeAll } from 'vitest';
import { testEveryStore } from './every-store';

// INSTANCES selects the store. Settings are read once per process, and each test file has its own process.
beforeAll(() => {
  process.env.INSTANCES = '1';
});

testEveryStore();
