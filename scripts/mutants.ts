// `npm run test:mutants`: measures how many of the changes in tests/mutants.ts the tests notice. Arguments select ids or
// rooms: `npm run test:mutants -- A16 webhooks`.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';
import { MUTANTS, type Mutant } from '@/tests/mutants';
import { ensureBuild } from './start/build';
import { type Run, supervise } from './start/supervise';
import { startTestDatabase } from './test/database';
import { withoutSettings } from './test/environment';
import { RUNNERS } from './test/runners';

/** The copy of the repository. It is kept, because its build can be used again while no source changes. */
const COPY = '.cache/mutants';
const KEPT = ['.next', '.cache'];

/** The minimum percentage of the mutants that the tests must notice. */
const MIN_SCORE = 90;

/** Milliseconds after which a mutant counts as noticed. Some mutants make a test wait or repeat its work without an end. */
const MAX_TIME = 240_000;

const INTERRUPTED = 130;

const GROUPS = ['unit', 'integration'] as const;
type Group = (typeof GROUPS)[number];
type Verdict = { mutant: Mutant; killedBy: Group | null };

const say = (line: string) => console.log(line);
const plural = (count: number) => (count === 1 ? '1 mutant' : `${count} mutants`);

const roomOf = ({ file }: Mutant) => file.split('/').slice(1, -1).slice(0, 2).join('/');

const filesOf = ({ tests }: Mutant, group: Group) =>
  tests.filter((test) => test.startsWith(`${group}/`)).map((test) => `tests/${test}.test.ts`);

function copyRepository(): void {
  mkdirSync(COPY, { recursive: true });
  for (const name of readdirSync(COPY).filter((name) => !KEPT.includes(name)))
    rmSync(join(COPY, name), { recursive: true });
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { maxBuffer: 1 << 26 });
  const files = listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(file));
  for (const file of [...files, 'lib/platform/generated']) cpSync(file, join(COPY, file), { recursive: true });
  symlinkSync(resolve('node_modules'), join(COPY, 'node_modules'));
}

/**
 * Returns the code of a switch, which the environment variable MUTANT sets. Text in backticks is a piece of a template: of
 * SQL if the template has a tag (`sql` or `statement`), otherwise of a plain string.
 */
function switchOf({ id, from, to }: Mutant, isSql: boolean): string {
  const either = (one: string, other: string) => `MUTANT === '${id}' ? ${one} : ${other}`;
  if (!from.startsWith('`')) return `(${either(`(${to})`, `(${from})`)})`;
  return isSql ? `\${${either(`{ chunks: [${to}] }`, `{ chunks: [${from}] }`)}}` : `\${${either(to, from)}}`;
}

/** @throws StartError if the text to replace does not occur exactly once, or if two mutants overlap */
function withSwitches(text: string, mutants: Mutant[]): string {
  const isTagged = (position: number) => /[\w)]$/.test(text.slice(0, text.lastIndexOf('`', position)));
  const places = mutants.map((mutant) => {
    const searched = mutant.from.replace(/^`(.*)`$/s, '$1');
    const start = text.indexOf(searched);
    if (start < 0 || text.indexOf(searched, start + 1) >= 0)
      throw new StartError(
        `${mutant.id}: its text must occur exactly once in ${mutant.file}. Change tests/mutants.ts.`,
      );
    return { start, end: start + searched.length, code: switchOf(mutant, isTagged(start)) };
  });
  places.sort((a, b) => a.start - b.start);
  let changed = 'const MUTANT = process.env.MUTANT;\n';
  let position = 0;
  for (const { start, end, code } of places) {
    if (start < position) throw new StartError(`Two mutants overlap near "${text.slice(start, end)}".`);
    changed += text.slice(position, start) + code;
    position = end;
  }
  return changed + text.slice(position);
}

/** Builds every mutant into the copy, so that one build serves all of them. */
function addSwitches(): void {
  const ids = new Set(MUTANTS.map(({ id }) => id));
  if (ids.size < MUTANTS.length) throw new StartError('Two mutants have the same id.');
  for (const file of new Set(MUTANTS.map((mutant) => mutant.file))) {
    const ofFile = MUTANTS.filter((mutant) => mutant.file === file);
    writeFileSync(join(COPY, file), withSwitches(readFileSync(file, 'utf8'), ofFile));
  }
}

function selected(words: string[]): Mutant[] {
  if (words.length === 0) return MUTANTS;
  const matches = (mutant: Mutant) => (word: string) => mutant.id === word || roomOf(mutant).includes(word);
  const unknown = words.find((word) => !MUTANTS.some((mutant) => matches(mutant)(word)));
  if (unknown) throw new StartError(`No mutant has the id or the room "${unknown}".`);
  return MUTANTS.filter((mutant) => words.some(matches(mutant)));
}

type Tests = { group: Group; files: string[]; databaseUrl: string | null; mutant: string | null };

/** Runs test files, and returns whether all tests passed. @throws StartError if the test runner failed itself */
async function pass({ group, files, databaseUrl, mutant }: Tests, { signal }: Run): Promise<boolean> {
  const runner = RUNNERS.find(({ name }) => name === group);
  if (!runner) throw new Error(`no runner for ${group}`);
  const settings = { NOT_RUN_FILE: resolve('.cache/not-run.ndjson'), TEST_DATABASE_URL: databaseUrl ?? '' };
  const env = { ...withoutSettings(process.env), ...settings, MUTANT: mutant ?? '' } as unknown as NodeJS.ProcessEnv;
  let output = '';
  const write = (text: string) => {
    output = (output + text).slice(-20_000);
  };
  const late = mutant === null ? signal : AbortSignal.timeout(MAX_TIME);
  const { counts, failures } = await runner.run({ files, env, signal: AbortSignal.any([signal, late]), write });
  signal.throwIfAborted();
  if (late.aborted) return false;
  if (counts.failed > 0 && (failures.length === 0 || mutant === null)) throw new StartError(output);
  return counts.failed === 0;
}

async function judge(mutant: Mutant, databaseUrl: string | null, run: Run): Promise<Verdict> {
  for (const group of GROUPS) {
    const files = filesOf(mutant, group);
    if (files.length > 0 && !(await pass({ group, files, databaseUrl, mutant: mutant.id }, run)))
      return { mutant, killedBy: group };
  }
  return { mutant, killedBy: null };
}

function printTable(verdicts: Verdict[]): number {
  const scoreOf = (ofRoom: Verdict[]) =>
    Math.floor((100 * ofRoom.filter(({ killedBy }) => killedBy !== null).length) / ofRoom.length);
  const row = (room: string, ofRoom: Verdict[]) => {
    const count = (group: Group | null) => ofRoom.filter(({ killedBy }) => killedBy === group).length;
    const cells = [ofRoom.length, count('unit'), count('integration'), count(null), `${scoreOf(ofRoom)} %`];
    say(`${room.padEnd(26)}${cells.map((cell) => String(cell).padStart(13)).join('')}`);
  };
  say(
    `\n${'room'.padEnd(26)}${['mutants', 'unit', 'integration', 'survived', 'score'].map((h) => h.padStart(13)).join('')}`,
  );
  for (const room of [...new Set(verdicts.map(({ mutant }) => roomOf(mutant)))].sort())
    row(
      room,
      verdicts.filter(({ mutant }) => roomOf(mutant) === room),
    );
  row('all', verdicts);
  return scoreOf(verdicts);
}

async function test(run: Run): Promise<number> {
  const mutants = selected(process.argv.slice(2));
  copyRepository();
  addSwitches();
  process.chdir(COPY);
  const filesIn = (group: Group) => [...new Set(mutants.flatMap((mutant) => filesOf(mutant, group)))];
  const needsServer = filesIn('integration').length > 0;
  const [databaseUrl] = needsServer
    ? await Promise.all([startTestDatabase(run), ensureBuild(process.cwd(), say, run.signal, 'tests')])
    : [null];
  say(`Running the tests of ${plural(mutants.length)} without a mutant. They must pass …`);
  for (const group of GROUPS) {
    const files = filesIn(group);
    if (files.length > 0) await pass({ group, files, databaseUrl, mutant: null }, run);
  }
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    const verdict = await judge(mutant, databaseUrl, run);
    verdicts.push(verdict);
    say(`${mutant.id.padEnd(5)}${verdict.killedBy ?? 'SURVIVED'}: ${mutant.file}`);
  }
  await run.stopAll();
  const score = printTable(verdicts);
  if (score < MIN_SCORE) say(`\nThe score is below ${MIN_SCORE} %.`);
  return score < MIN_SCORE ? 1 : 0;
}

await supervise(test, INTERRUPTED);
