// `npm run conformance -- --base-url … --key …`: checks any deployment against the contract, from outside.
import { writeFileSync } from 'node:fs';
import { CONTRACT_PATH } from '@/lib/contract/sections';
import { readDocument } from './conformance/document';
import { hostile } from './conformance/hostile';
import { readOptions, UsageError } from './conformance/options';
import { Report } from './conformance/report';
import { SCENARIOS } from './conformance/scenarios';
import { Wire } from './conformance/wire';
import { createWorld } from './conformance/world';

/** Exit codes: everything holds, something does not, nothing could be said. */
const [HOLDS, FAILS, UNUSABLE] = [0, 1, 2];

async function run(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const report = new Report((line) => console.log(line));
  const wire = new Wire(options, report);
  const world = createWorld(wire, report);
  await wire.introduce();
  report.say(`[A] to [B11] are sections of the contract, ${options.origin}${CONTRACT_PATH} or docs/contract.md`);
  // Before anything is checked: a run of minutes would be lost without it.
  const operations = options.hostile ? await readDocument(options.openapi) : null;
  try {
    for (const [name, section, scenario] of SCENARIOS) {
      report.begin(name);
      await report.guard(section, () => scenario(world));
    }
  } finally {
    await world.cleanUp();
  }
  await wire.conclude('Every answer');
  const counts = operations ? await hostile(operations, options, report) : null;
  const result = report.finish(wire.calls, wire.badKeys, counts);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  return result.failed > 0 ? FAILS : HOLDS;
}

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  return UNUSABLE;
});
