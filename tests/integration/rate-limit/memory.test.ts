import { beforeAll } from 'vitest';
import { testEveryStore } from './every-store';

// INSTANCES selects the store. It is set here, because each test file reads the settings only once.
beforeAll(() => {
  process.env.INSTANCES = '1';
});

testEveryStore();
