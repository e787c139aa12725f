import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Readiness, readinessData } from '@/lib/contract/readiness';
import { CONTRACT_PATH } from '@/lib/contract/sections';
import { readDocument } from './document';
import { hostile, MIN_REQUESTS } from './hostile';
import type { Options } from './options';
import { startReceiver } from './receiver';
import { Report, type Result } from './report';
import { authentication, failures, routing } from './scenarios/access';
import { availability } from './scenarios/availability';
import { badBodies } from './scenarios/bodies';
import { catalog } from './scenarios/catalog';
import { changes } from './scenarios/changes';
import { publishedClient } from './scenarios/client';
import { concurrency } from './scenarios/concurrency';
import { creating } from './scenarios/creating';
import { days } from './scenarios/days';
import { idempotency } from './scenarios/idempotency';
import { lists } from './scenarios/lists';
import { readiness } from './scenarios/readiness';
import { retries } from './scenarios/retries';
import { sandboxTime } from './scenarios/sandbox';
import { thinEvents } from './scenarios/thin-events';
import { TIMEOUT_MS, Wire } from './wire';
import { createWorld, type World } from './world';

/** With their main section of the contract. They do not depend on each other. */
const SCENARIOS: readonly (readonly [string, string, (world: World) => Promise<void>])[] = [
  ['Authentication', 'B2', authentication],
  ['Routing', 'B2', routing],
  ['Catalog', 'B4', catalog],
  ['Availability', 'B6', availability],
  ['Days and the next slot', 'B17', days],
  ['Creating a booking', 'B7', creating],
  ['Refusing an invalid booking', 'B7', badBodies],
  ['Idempotency', 'B8', idempotency],
  ['Changing a booking', 'B7', changes],
  ['Lists, events, digest, me', 'B16', lists],
  ['Concurrency', 'B8', concurrency],
  ['The published client', 'B7', publishedClient],
  ['Sandbox time', 'B20', sandboxTime],
  ['Retries of a webhook', 'B11', retries],
  ['Thin events', 'B17', thinEvents],
  ['Readiness', 'B21', readiness],
];

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

/** Milliseconds until the server has written all requests into its log (architecture 6). */
const LOGGED = 500;

type Certified = { readiness: Readiness; certificate: string };

/**
 * Reports a run to the server, and prints the readiness of the application (contract B21). A server without it, such as
 * one of an earlier version, changes nothing about the result of the run: returns null.
 */
async function reportReadiness(
  wire: Wire,
  { passed, failed, skipped, hostile }: Result,
  say: (line: string) => void,
): Promise<Certified | null> {
  await delay(LOGGED);
  const calls = wire.calls - wire.badKeys + (hostile?.requests ?? 0);
  const report = await wire
    .send('/test/conformance', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ first_request_id: wire.firstRequestId, passed, failed, skipped: skipped.length, calls }),
    })
    .catch(() => null);
  const reply = await wire.send('/test/readiness').catch(() => null);
  const parsed = readinessData.safeParse(reply?.json?.data);
  if (report?.status !== 200 || !parsed.success) {
    say('\nThe server has not recorded this run, so it is not in the readiness of the application.');
    return null;
  }
  const { criteria, met, application } = parsed.data.readiness;
  say(`\nReadiness of ${application.name}, from requests of its own code: ${met} of ${criteria.length}`);
  for (const { criterion, state, at } of criteria) say(`  ${state.padEnd(8)}${criterion}${at ? ` (${at})` : ''}`);
  return parsed.data;
}
