// `npm run test:watch`: runs the unit tests again whenever a file that they import changes. Words select files as in
// `npm test`; options are Vitest's own. Integration and browser tests need a build: run those with `npm test -- <path>`.
import { spawn } from 'node:child_process';
import { VITEST } from './test/runners';

const child = spawn(process.execPath, [VITEST, 'watch', '--project', 'unit', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to Vitest too, which then exits.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 0));
