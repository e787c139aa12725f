import { createRequire } from 'node:module';
import { runQuietly } from '../bootstrap/run.mjs';

const require = createRequire(import.meta.url);

type Check = { title: string; program: string; args: string[] };

/** Each is a Node program that runs in the repository's root directory. */
export const CHECKS: Check[] = [
  // TypeScript 7 takes a third of the processor time of TypeScript 5. Next.js and other tools need the API of the latter.
  // Several threads would check shared types several times, and the other checks use the other cores.
  {
    title: 'types',
    program: 'node_modules/typescript7/bin/tsc',
    args: ['--noEmit', '--pretty', 'false', '--singleThreaded'],
  },
  { title: 'lint and format', program: require.resolve('@biomejs/biome/bin/biome'), args: ['ci', '--colors=off'] },
  {
    title: 'imports',
    program: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['app', 'lib', 'inngest', 'scripts', '--config', '.dependency-cruiser.cjs', '--no-progress'],
  },
  {
    title: 'references to sections and tests',
    program: 'scripts/check/references.ts',
    args: [],
  },
  { title: 'cost of inputs', program: 'scripts/check/inputs.ts', args: [] },
  { title: 'banned uses', program: 'scripts/check/banned.ts', args: [] },
  { title: 'languages', program: 'scripts/check/languages.ts', args: [] },
  {
    title: 'spelling',
    program: 'node_modules/cspell/bin.mjs',
    args: ['lint', '--no-progress', '--no-summary', '--cache', '--cache-location', '.cache/cspell'],
  },
  { title: 'unused exports and dependencies', program: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
];

/** Runs one check. Returns whether it passed, its output, and its duration. */
export async function runCheck({ title, program, args }: Check) {
  const startedAt = Date.now();
  const loader = program.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const { code, output } = await runQuietly(process.execPath, [...loader, program, ...args], { cwd: process.cwd() });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  return { title, passed: code === 0, output: output.trim(), seconds };
}
