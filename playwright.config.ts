import { defineConfig } from '@playwright/test';
import { browserPath } from './tests/support/browser';

const { executablePath, args } = await browserPath();

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  workers: 2,
  // The timeouts are long, because two Playwright workers and the integration tests share the CPU cores.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  globalSetup: './tests/support/e2e-setup.ts',
  use: {
    browserName: 'chromium',
    // Shorter than the timeout of a test, so that the failure names the action that hung.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: { executablePath, args },
    // Without transitions, a dialog does not move while a test clicks in it.
    contextOptions: { reducedMotion: 'reduce' },
  },
});
