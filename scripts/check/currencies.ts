// Fails if product code takes the decimals, codes, or names of currencies from `Intl`, whose data depends on the version of
// Node or of the browser. `lib/contract/currencies.ts` has them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currencyUses } from './currency-uses';

const ROOTS = ['app', 'inngest', 'lib', 'scripts'];
/** The pattern of this check matches itself. */
const PATTERN = 'scripts/check/currency-uses.ts';

for (const root of ROOTS) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name).replaceAll('\\', '/');
    if (!entry.isFile() || !/\.tsx?$/.test(file) || file === PATTERN) continue;
    for (const line of currencyUses(readFileSync(file, 'utf8'))) {
      console.log(`${file}:${line}: use formatPrice or lib/contract/currencies.ts instead of the currencies of Intl`);
      process.exitCode = 1;
    }
  }
}
