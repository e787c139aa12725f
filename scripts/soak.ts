// `npm run test:soak`: runs the long versions of tests that repeat their work. Its arguments select test files.
import { readFileSync } from 'node:fs';
import { RUNNERS } from './test/runners';
import { filesOf } from './test/select';

/** Each test file that has a long version imports one of these. */
const MARK = /from '@\/tests\/support\/(soak|look)'|\bexpectAccessible\b/;

const [node = '', script = '', ...words] = process.argv;
const files = RUNNERS.flatMap((runner) => filesOf(process.cwd(), runner)).filter((file) =>
  MARK.test(readFileSync(file, 'utf8')),
);
process.env.SOAK = '1';
process.argv = [node, script, ...(words.length > 0 ? words : files)];
await import('./test');
