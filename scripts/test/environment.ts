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
