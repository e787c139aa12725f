import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sampleNames, samplePath } from '@/lib/contract/docs/samples';
import { allLanguages, hasProgram, recordNotRun } from '@/tests/support/programs';
import { ROOT } from './blocks';

/**
 * A language in which samples exist. `probe` succeeds if the language is installed. `run` followed by the main file of a
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

/**
 * Returns the languages in which `what` is tested here, and records that its test in each other language does not run.
 * @param extensions of the languages in which it exists.
 */
export function testedLanguages(what: string, extensions = LANGUAGES.map(({ extension }) => extension)): Language[] {
  const all = LANGUAGES.filter(({ extension }) => extensions.includes(extension));
  const tested = allLanguages ? all : all.filter(({ extension }) => extension === 'py');
  const others = all.filter((one) => !tested.includes(one)).map(({ name }) => name);
  if (others.length > 0) recordNotRun(others.length, `npm run check:clients tests ${what} in ${others.join(', ')}`);
  return tested.filter(({ name, probe: [command = '', ...args] }) =>
    hasProgram(command, 1, `${what} in ${name}`, args),
  );
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
