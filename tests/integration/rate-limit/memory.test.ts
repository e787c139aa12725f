import { beforeAll } from 'vitest';
import { changeSettings } from '@/tests/support/fresh-process';
import { testEveryStore } from './every-store';

// With one instance, the rate limits are counted in memory.
beforeAll(() => changeSettings({ INSTANCES: '1' }));

testEveryStore();
