// `npm run test:soak`: runs the long versions of tests that repeat their work, such as request storms and process
// kills. Arguments select files as for `npm test`.
import { readFileSync } from 'node:fs';
import { RUNNERS } from './test/runners';
import { filesOf } from './test/select';

/** The import by which a test file states that it has a long version. */
const MARK = "from '@/tests/support/soak'";

const [node = '', script = '', ...words] = process.argv;
const files = RUNNERS.flatMap((runner) => filesOf(process.cwd(), runner)).filter((file) =>
  readFileSync(file, 'utf8').includes(MARK),
);
process.env.SOAK = '1';
process.argv = [node, script, ...(words.length > 0 ? words : files)];
await import('./test');
