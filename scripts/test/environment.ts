import { resolve } from 'node:path';
import { SETTING_NAMES } from '@/lib/platform/env';
import { FILE_SETTINGS, fileNameOf } from '@/lib/platform/setting-files';

/** The only setting that reaches the servers under test, as in `WORKERS=2 npm run test:soak` (see CONTRIBUTING.md). */
const KEPT = 'WORKERS';

const REMOVED = new Set([
  'NODE_ENV',
  ...SETTING_NAMES.filter((name) => name !== KEPT),
  ...FILE_SETTINGS.map(fileNameOf),
]);

/** Returns the caller's environment without the settings that would affect the servers under test. */
export function withoutSettings(source: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !REMOVED.has(name)));
}

/** Returns the options with which every Node process of a test run starts, in addition to the caller's. */
export function nodeOptions({ NODE_OPTIONS = '' }: Record<string, string | undefined>): string {
  // Quoted, because the path may contain blanks.
  return `${NODE_OPTIONS} --require ${JSON.stringify(resolve('tests/support/short-lived.cjs'))}`.trim();
}
