import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes Next use the configuration that the build in `root` recorded. The server of Next's standalone output uses it in
 * the same way. Otherwise, each start would load Next's native compiler, a library of 100 MB, to read next.config.ts,
 * and a packaged folder would need that compiler.
 */
export function applyRecordedConfig(root: string): void {
  const file = join(root, '.next', 'required-server-files.json');
  const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config: unknown };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
