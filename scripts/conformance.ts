// `npm run conformance -- --base-url … --key …`: checks any deployment against the contract over HTTP. Also published
// as the single file /docs/conformance.mjs.
import { writeFileSync } from 'node:fs';
import { CONTRACT_PATH } from '@/lib/contract/sections';
import { readDocument } from './conformance/document';
import { hostile } from './conformance/hostile';
import { readOptions, USAGE, UsageError } from './conformance/options';
import { reportReadiness } from './conformance/readiness';
import { startReceiver } from './conformance/receiver';
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
  await wire.probe();
  const receiver = options.listen === null ? null : await startReceiver(options.listen);
  const world = createWorld(wire, report, receiver);
  report.say(`[A] to [B21] are sections of the contract: ${options.origin}${CONTRACT_PATH} or docs/contract.md`);
  // If the document cannot be read, the run must fail before it creates bookings.
  const operations = options.hostile ? await readDocument(options.openapi) : null;
  try {
    for (const [name, section, scenario] of SCENARIOS) {
      report.begin(name);
      await report.guard(section, () => scenario(world));
    }
  } finally {
    await world.cleanUp();
    receiver?.close();
  }
  const counts = operations ? await hostile(operations, options, report) : null;
  if (options.failures) {
    report.begin('Failed authentications');
    await report.guard('B2', () => failures(world));
  }
  await wire.conclude('Every response');
  const result = report.finish(wire.calls, wire.badKeys, counts);
  const certified = await reportReadiness(wire, result, (line) => console.log(line));
  report.sum(result);
  const readiness = certified?.readiness ?? null;
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...result, readiness }, null, 2)}\n`);
  if (options.certificate && certified) writeFileSync(options.certificate, `${certified.certificate}\n`);
  return result.failed > 0 ? FAILED : PASSED;
}

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  return UNUSABLE;
});
