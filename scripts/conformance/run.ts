import { writeFileSync } from 'node:fs';
import { CONTRACT_PATH } from '@/lib/contract/sections';
import { readDocument } from './document';
import { hostile, MIN_REQUESTS } from './hostile';
import type { Options } from './options';
import { reportReadiness } from './readiness';
import { startReceiver } from './receiver';
import { Report, type Result } from './report';
import { SCENARIOS } from './scenarios';
import { failures } from './scenarios/access';
import { TIMEOUT_MS, Wire } from './wire';
import { createWorld } from './world';

/** What the tests of the suite reduce. `timeout` is in milliseconds. */
export type Extent = { scenarios?: string[]; timeout?: number; malformed?: number };

/** Runs the suite, and writes its result to the files that the options name. @throws UsageError if it cannot run */
export async function runSuite(
  options: Options,
  say: (line: string) => void,
  { scenarios, timeout = TIMEOUT_MS, malformed = MIN_REQUESTS }: Extent = {},
): Promise<Result> {
  const report = new Report(say);
  const wire = new Wire(options, report, timeout);
  await wire.probe();
  const receiver = options.listen === null ? null : await startReceiver(options.listen);
  const world = createWorld(wire, report, receiver);
  report.say(`[A] to [B21] are sections of the contract: ${options.origin}${CONTRACT_PATH} or docs/contract.md`);
  // If the document cannot be read, the run must fail before it creates bookings.
  const operations = options.hostile ? await readDocument(options.openapi) : null;
  try {
    for (const [name, section, scenario] of SCENARIOS) {
      if (scenarios && !scenarios.includes(name)) continue;
      report.begin(name);
      await report.guard(section, () => scenario(world));
    }
  } finally {
    await world.cleanUp();
    receiver?.close();
  }
  const counts = operations ? await hostile(operations, options, report, malformed) : null;
  if (options.failures) {
    report.begin('Failed authentications');
    await report.guard('B2', () => failures(world));
  }
  await wire.conclude('Every response');
  const result = report.finish(wire.calls, wire.badKeys, counts);
  const certified = await reportReadiness(wire, result, say);
  report.sum(result);
  const readiness = certified?.readiness ?? null;
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...result, readiness }, null, 2)}\n`);
  if (options.certificate && certified) writeFileSync(options.certificate, `${certified.certificate}\n`);
  return result;
}
