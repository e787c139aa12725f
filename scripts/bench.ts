// Behind `npm run bench`: prepares a build and a database, measures the figures, and prints a table and one line of JSON.
// Exits with an error only if a measurement fails, not if a figure misses its threshold.
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

const log = (line: string) => console.log(line);

/**
 * Returns the figures with these names, or all figures if there are no names.
 * @throws StartError for an unknown name.
 */
function selectFigures(names: readonly string[]): readonly Figure[] {
  if (names.length === 0) return FIGURES;
  return names.map((name) => {
    const figure = FIGURES.find((candidate) => candidate.name === name);
    if (figure) return figure;
    throw new StartError(`Unknown figure: ${name}. Figures: ${FIGURES.map((known) => known.name).join(', ')}.`);
  });
}

async function bench(run: Run): Promise<number> {
  const figures = selectFigures(process.argv.slice(2));
  await openDataDir(DIRECTORY);
  await ensureBuild(ROOT, log, run.signal);
  log('Creating the benchmark database …');
  const opening = openDatabase(`${DIRECTORY}/database`, run.signal, log);
  run.onStop(async () => (await opening.catch(() => null))?.close());
  const { stage, close } = openStage({ root: ROOT, database: await opening, signal: run.signal, log });
  run.onStop(close);
  const measured: Measured[] = [];
  for (const figure of figures) {
    log(`Measuring: ${figure.title} …`);
    measured.push({ figure, outcome: await figure.run(stage) });
  }
  log(`\n${table(measured)}\n${summary(measured)}`);
  return 0;
}

// Exit code 130, the shell's code for an interrupt, when stopped before the end.
await supervise(bench, 130);
