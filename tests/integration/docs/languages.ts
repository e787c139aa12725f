import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sampleNames, samplePath } from '@/lib/contract/docs/samples';
import { allLanguages, recordNotRun } from '@/tests/support/programs';
import { ROOT } from './blocks';

/**
 * A language in which samples exist. `probe` checks that the language is installed. `run` followed by the main file of a
 * program and its arguments runs the program. In Go, the directory is the program.
 */
export type Language = { name: string; extension: string; probe: string[]; run: string[] };

const LANGUAGES: Language[] = [
  { name: 'Python', extension: 'py', probe: ['python3', '--version'], run: ['python3', '-B'] },
  { name: 'PHP', extension: 'php', probe: ['php', '--version'], run: ['php'] },
  { name: 'Go', extension: 'go', probe: ['go', 'version'], run: ['sh', '-c', 'exec go run . "$@"'] },
  {
    name: 'Java',
    extension: 'java',
    probe: ['javac', '-version'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the shell
    run: ['sh', '-c', 'javac "$0" && exec java "${0%.java}" "$@"'],
  },
  {
    name: 'C#',
    extension: 'cs',
    probe: ['mcs', '--version'],
    run: [
      'sh',
      '-c',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the shell
      'mcs -langversion:7.2 -r:System.Net.Http -main:"${0%.cs}" -out:main.exe *.cs && exec mono main.exe "$@"',
    ],
  },
];

export const runFile = promisify(execFile);

/** Returns the languages to test. Each of the others has `tests` tests of `what`. */
export function testedLanguages(what: string, tests: number): Language[] {
  const others = LANGUAGES.slice(1);
  if (allLanguages) return LANGUAGES;
  const names = others.map(({ name }) => name).join(', ');
  if (tests > 0) recordNotRun(tests * others.length, `npm run check:clients tests ${what} in ${names}`);
  return LANGUAGES.slice(0, 1);
}

/** Returns whether a language is installed. If it is not, says on the console that it was not tested. */
export async function isInstalled({ name, probe: [command = '', ...args] }: Language): Promise<boolean> {
  const found = await runFile(command, args).then(
    () => true,
    () => false,
  );
  if (!found) console.warn(`NOT TESTED: the samples in ${name}, because ${command} is not installed.`);
  return found;
}

/** Copies the files of a language into a directory as the guide to clients says: the client, and the samples if asked. */
export async function copyFiles({ extension }: Language, directory: string, samples: boolean): Promise<void> {
  const names = sampleNames().filter((one) => one.endsWith(`.${extension}`));
  for (const name of names) {
    const isClient = samplePath(name).startsWith('clients/');
    if (!isClient && !samples) continue;
    const folder = isClient && PACKAGED.has(extension) ? join(directory, 'partnerbooking') : directory;
    await mkdir(folder, { recursive: true });
    await copyFile(join(ROOT, samplePath(name)), join(folder, name));
  }
  if (extension !== 'go') return;
  await writeFile(join(directory, 'go.mod'), 'module booking\n\ngo 1.19\n');
  // A Go program has one `main`, which is in the program of the test.
  for (const [name, main] of samples ? GO_MAINS : []) {
    const file = join(directory, name);
    await writeFile(file, (await readFile(file, 'utf8')).replace('func main()', `func ${main}()`));
  }
}

/** Languages in which the folder of a file is its package. */
const PACKAGED = new Set(['go', 'java']);

const GO_MAINS = [
  ['book.go', 'book'],
  ['all_services.go', 'allServices'],
] as const;
