// `npm run conformance -- --base-url … --key …`: checks any deployment against the contract over HTTP. Also published
// as the single file /docs/conformance.mjs.
import { writeFileSync } from 'node:fs';
import { CONTRACT_PATH } from '@/lib/contract/sections';
import { readDocument } from './conformance/document';
import { hostile } from './conformance/hostile';
import { readOptions, USAGE, UsageError } from './conformance/options';
import { Report } from './conformance/report';
import { SCENARIOS } from './conformance/scenarios';
import { failures } from './conformance/scenarios/access';
import { Wire } from './conformance/wire';
import { createWorld } from './conformance/world';

/** All checks passed, a check failed, or the suite could not run. */
const [PASSED, FAILED, UNUSABLE] = [0, 1, 2];

async function run(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(USAGE);
    return PASSED;
  }
  const options = readOptions(args);
  const report = new Report((line) => console.log(line));
  const wire = new Wire(options, report);
  const world = createWorld(wire, report);
  await wire.probe();
  report.say(`[A] to [B14] are sections of the contract: ${options.origin}${CONTRACT_PATH} or docs/contract.md`);
  // If the document cannot be read, the run must fail before it creates bookings.
  const operations = options.hostile ? await readDocument(options.openapi) : null;
  try {
    for (const [name, section, scenario] of SCENARIOS) {
      report.begin(name);
      await report.guard(section, () => scenario(world));
    }
  } finally {
    await world.cleanUp();
  }
  const counts = operations ? await hostile(operations, options, report) : null;
  if (options.failures) {
    report.begin('Failed authentications');
    await report.guard('B2', () => failures(world));
  }
  await wire.conclude('Every response');
  const result = report.finish(wire.calls, wire.badKeys, counts);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  return result.failed > 0 ? FAILED : PASSED;
}

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  return UNUSABLE;
});
