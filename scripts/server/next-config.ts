import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes Next use the configuration that the build in `root` recorded, as the server of Next's standalone output does.
 * Otherwise, each start would compile next.config.ts. The native compiler of Next is a library of 100 MB, which each
 * start would have to load and each packaged folder would have to contain.
 */
export function applyRecordedConfig(root: string): void {
  const file = join(root, '.next', 'required-server-files.json');
  const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config: unknown };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
