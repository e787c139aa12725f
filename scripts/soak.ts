// `npm run test:soak`: runs the long versions of tests that repeat their work, such as request storms and process
// kills. Its arguments select test files, like those of `npm test`.
import { readFileSync } from 'node:fs';
import { RUNNERS } from './test/runners';
import { filesOf } from './test/select';

/** Matches the import of a module for long tests. Each test file that has a long version contains such an import. */
const MARK = /from '@\/tests\/support\/(soak|look)'/;

const [node = '', script = '', ...words] = process.argv;
const files = RUNNERS.flatMap((runner) => filesOf(process.cwd(), runner)).filter((file) =>
  MARK.test(readFileSync(file, 'utf8')),
);
process.env.SOAK = '1';
process.argv = [node, script, ...(words.length > 0 ? words : files)];
await import('./test');
