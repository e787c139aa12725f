import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * A language in which samples exist. `probe` checks that the language is installed. `run` followed by the files of a
 * program, the main file first, runs the program. Only Go needs the names of all files.
 */
export type Language = { name: string; extension: string; probe: string[]; run: string[] };

export const LANGUAGES: Language[] = [
  { name: 'Python', extension: 'py', probe: ['python3', '--version'], run: ['python3'] },
  { name: 'PHP', extension: 'php', probe: ['php', '--version'], run: ['php'] },
  { name: 'Go', extension: 'go', probe: ['go', 'version'], run: ['go', 'run'] },
  {
    name: 'Java',
    extension: 'java',
    probe: ['javac', '-version'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the shell
    run: ['sh', '-c', 'javac -d . *.java && exec java "${0%.java}" "$@"'],
  },
];

export const runFile = promisify(execFile);

/** Returns whether a language is installed. If it is not, says on the console that it was not tested. */
export async function isInstalled({ name, probe: [command = '', ...args] }: Language): Promise<boolean> {
  const found = await runFile(command, args).then(
    () => true,
    () => false,
  );
  if (!found) console.warn(`NOT TESTED: the samples in ${name}, because ${command} is not installed.`);
  return found;
}
