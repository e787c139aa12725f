// `npm run test:watch`: runs the unit tests again whenever a file that they import changes. Arguments are passed to
// Vitest. Integration and browser tests need a build, so run them with `npm test -- <path>`.
import { spawn } from 'node:child_process';
import { VITEST } from './test/runners';

const child = spawn(process.execPath, [VITEST, 'watch', '--project', 'unit', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// Ctrl-C sends SIGINT to this process and to Vitest. This process ignores the signal, and exits when Vitest exits.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 0));
