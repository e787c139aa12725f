// Behind `npm run bench`: prepares a database and a build of its own making, measures, and prints a table and one line
// of JSON. It fails only when it could not measure: what a figure should be is for tests of quality to say.
import { StartError } from '@/lib/platform/postgres/start-error';
import { openDatabase } from '../tests/bench/database';
import type { Figure } from '../tests/bench/figure';
import { FIGURES } from '../tests/bench/figures';
import { type Measured, summary, table } from '../tests/bench/report';
import { openStage } from '../tests/bench/stage';
import { ensureBuild } from './start/build';
import { openDataDir } from './start/data-dir';
import { type Run, supervise } from './start/supervise';

const ROOT = process.cwd();
const DIRECTORY = '.data/bench';

const say = (line: string) => console.log(line);

/** Returns the figures that were asked for; all when none was. */
function chosen(names: readonly string[]): readonly Figure[] {
  if (names.length === 0) return FIGURES;
  return names.map((name) => {
    const figure = FIGURES.find((one) => one.name === name);
    if (figure) return figure;
    throw new StartError(`There is no such figure; these exist: ${FIGURES.map((one) => one.name).join(', ')}.`);
  });
}

async function bench(run: Run): Promise<number> {
  const figures = chosen(process.argv.slice(2));
  await openDataDir(DIRECTORY);
  await ensureBuild(ROOT, say, run.signal);
  say('Creating a database to measure with …');
  const opening = openDatabase(`${DIRECTORY}/database`, run.signal, say);
  run.onStop(async () => (await opening.catch(() => null))?.close());
  const { stage, close } = openStage({ root: ROOT, database: await opening, signal: run.signal, say });
  run.onStop(close);
  const measured: Measured[] = [];
  for (const figure of figures) {
    say(`Measuring: ${figure.title} …`);
    measured.push({ figure, outcome: await figure.run(stage) });
  }
  say(`\n${table(measured)}\n${summary(measured)}`);
  return 0;
}

// Stopped on request is not measured.
await supervise(bench, 130);
