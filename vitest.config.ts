import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { allLanguages } from './tests/support/programs.ts';
import { RUN_FIRST } from './tests/support/run-first.ts';

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const shared = { globalSetup: ['tests/support/shared-server.ts'], setupFiles: ['tests/support/shared-setup.ts'] };

/** The tests that need a real Inngest server. */
const REAL_INNGEST = 'tests/integration/inngest/real.test.ts';

/** `npm run check:clients` and the soak build the packages of the clients. */
const PACKAGES = 'tests/integration/docs/packages.test.ts';

/** Minutes long: only `npm run test:soak` runs them. The first one needs Patroni. */
const LONG = [
  'tests/integration/faults/patroni.test.ts',
  'tests/integration/cache/restart.test.ts',
  'tests/integration/faults/calendar-kill.test.ts',
  'tests/integration/history/history.test.ts',
  'tests/integration/start/dying-database.test.ts',
  'tests/integration/start/kill-storm.test.ts',
  'tests/integration/start/swap.test.ts',
];

/** Moves the files in `RUN_FIRST` to the front. Vitest requires a class. */
class RunFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => RUN_FIRST.some((file) => moduleId.endsWith(`/${file}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

export default defineConfig({
  resolve: { alias: { '@': root } },
  test: {
    // The slowest tests without their own timeout take about 30 seconds, and twice as long on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default timeout of one second is too short on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // Of tests that wait most of the time, such as six clients that repeat failed requests.
    maxConcurrency: 6,
    // A worker process runs several test files. tests/support/fresh-process.ts resets the process's state between them.
    isolate: false,
    // A young generation of this size holds what a test allocates, so it is collected seldom. In MiB.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    sequence: { sequencer: RunFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          // The default leaves one CPU core free, for a person who works meanwhile.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
          setupFiles: ['tests/support/unit-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [
            ...(process.env.INNGEST_TEST_URL ? [] : [REAL_INNGEST]),
            ...(process.env.SOAK === '1' ? [] : LONG),
            ...(allLanguages ? [] : [PACKAGES]),
          ],
          // More workers than CPU cores, because tests often wait for a timeout, a lock, or a server. With more workers,
          // tests that measure times would fail, because two browsers also use the CPU cores.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...shared,
        },
      },
      {
        extends: true,
        test: { name: 'contract', sequence: { groupOrder: 2 }, include: ['tests/contract/**/*.test.ts'], ...shared },
      },
    ],
  },
});
