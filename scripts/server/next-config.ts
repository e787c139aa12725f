import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes Next use the configuration that the build in `root` recorded. Otherwise, each start would compile
 * next.config.ts with Next's native compiler, a library of 100 MB. Each start would have to load this library, and each
 * packaged folder would have to contain it. The server of Next's standalone output avoids the compilation in the same
 * way.
 */
export function applyRecordedConfig(root: string): void {
  const file = join(root, '.next', 'required-server-files.json');
  const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config: unknown };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
