import { beforeAll } from 'vitest';
import { testEveryStore } from './every-store';

// With INSTANCES set to 1, the rate limits are counted in memory, not in PostgreSQL. The variable is set here, because
// each test file reads the settings only once.
beforeAll(() => {
  process.env.INSTANCES = '1';
});

testEveryStore();
