// `npm run bench`: measures the benchmark figures on a new database. The exit code is 1 if a measurement fails, but not
// if a figure misses its threshold.
import { parseArgs } from 'node:util';
import { StartError } from '@/lib/platform/postgres/start-error';
import { openDatabase } from '../tests/bench/database';
import type { Figure, Outcome } from '../tests/bench/figure';
import { FIGURES } from '../tests/bench/figures';
import { type Measured, notMeasured, summary, table } from '../tests/bench/report';
import { QUICK } from '../tests/bench/size';
import { openStage } from '../tests/bench/stage';
import { ensureBuild } from './start/build';
import { openDataDir } from './start/data-dir';
import { type Run, supervise } from './start/supervise';

const ROOT = process.cwd();
const DIRECTORY = '.data/bench';

const log = (line: string) => console.log(line);

/** @throws StartError for an unknown option or figure name */
function selectFigures(): readonly Figure[] {
  const names = namesOf();
  return names.length === 0 ? FIGURES : names.map(figureOf);
}

function namesOf(): string[] {
  try {
    return parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true }).positionals;
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
}

function figureOf(name: string): Figure {
  const figure = FIGURES.find((candidate) => candidate.name === name);
  if (figure) return figure;
  throw new StartError(`Unknown figure: ${name}. Figures: ${FIGURES.map((known) => known.name).join(', ')}.`);
}

async function bench(run: Run): Promise<number> {
  const figures = selectFigures();
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
    const begun = performance.now();
    measured.push({ figure, outcome: await figure.run(stage).catch((error) => outcomeOf(error, run.signal)) });
    log(`  ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
  log(`\n${table(measured)}`);
  if (QUICK)
    log('This was a trial run with fewer rounds and less data than the titles state. Its values are not measurements.');
  log(summary(measured));
  return measured.some(({ outcome }) => Number.isNaN(outcome.value)) ? 1 : 0;
}

/** @throws the error itself if the run was interrupted, or if it is a StartError */
function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted || error instanceof StartError) throw error;
  return notMeasured(error);
}

// The shell's exit code for an interrupt.
await supervise(bench, 130);
