import { defineConfig } from '@playwright/test';
import { browserPath } from './tests/support/browser';

const { executablePath, args } = await browserPath();

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  workers: 1,
  globalSetup: './tests/support/e2e-setup.ts',
  use: { browserName: 'chromium', launchOptions: { executablePath, args } },
});
