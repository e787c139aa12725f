import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Described } from './document';
import type { Options } from './options';
import type { HostileCounts, Report } from './report';
import type { Variant } from './variant-parts';
import { variantsOf } from './variants';
import { type Reply, Wire } from './wire';

export const MIN_REQUESTS = 5_000;
const CONCURRENCY = 8;
const PROGRESS_INTERVAL = 500;
const MAX_EXAMPLES = 10;

/** Findings are printed, so they contain no submitted values. */
type Finding = { operation: string; what: string; status: number; problem: string };

function problemOf({ status, text, headers }: Reply, marker: string): string | null {
  if (status >= 500) return 'a server error';
  if (text.includes(marker)) return 'a submitted value in the body';
  if (Object.values(headers).some((value) => value?.includes(marker))) return 'a submitted value in a header';
  if ('x-injected' in headers) return 'an injected header';
  return null;
}

/**
 * Sends malformed and unusual requests to every operation. Each must get a response that is not a 5xx and contains no
 * submitted value (contract B3). Returns the number of malformed requests, and of all by operation and status.
 */
export async function hostile(
  operations: Described[],
  options: Options,
  report: Report,
  least: number,
): Promise<HostileCounts> {
  report.begin(`Hostile requests: at least ${least} malformed requests to ${operations.length} operations`);
  // Reports the problems of the hostile requests separately from those of the scenarios.
  const wire = new Wire(options, report);
  const counts: HostileCounts['byOperation'] = {};
  const findings: Finding[] = [];
  const variants = variantsOf(operations, least);
  let sent = 0;
  let malformed = 0;
  const worker = async () => {
    for (const variant of variants) {
      const reply = await sendVariant(wire, variant);
      sent += 1;
      if (variant.malformed && reply) malformed += 1;
      if (sent % PROGRESS_INTERVAL === 0) report.say(`  … ${sent} sent`);
      const { operation, what, marker } = variant;
      const statuses = counts[operation] ?? {};
      const status = reply?.status ?? 0;
      counts[operation] = { ...statuses, [status]: (statuses[status] ?? 0) + 1 };
      const problem = reply ? problemOf(reply, marker) : 'no response';
      if (problem) findings.push({ operation, what, status, problem });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  // Some of the requests are valid, and have advanced the clock of the application (contract B20).
  await wire
    .send('/test/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: '{"real_time":true}',
    })
    .catch(() => null);
  for (const line of tableOf(counts)) report.say(line);
  await checkFindings(
    report,
    findings,
    operations.map(({ id }) => id),
    malformed,
    least,
  );
  await wire.conclude('Every response to a malformed request');
  return { malformed, byOperation: counts };
}

async function sendVariant(wire: Wire, { path, method, headers, body }: Variant): Promise<Reply | null> {
  return await wire.send(path, { method, headers, body }).catch(() => null);
}

async function checkFindings(
  report: Report,
  findings: Finding[],
  operations: string[],
  malformed: number,
  least: number,
): Promise<void> {
  const of = (...problems: string[]) =>
    findings.filter(({ problem }) => problems.includes(problem)).slice(0, MAX_EXAMPLES);
  await report.check(
    'B3',
    `at least ${least} different malformed requests to ${operations.length} operations got a response`,
    () => {
      assert.ok(malformed >= least, `${malformed} did`);
    },
  );
  await report.check('B3', 'every request got a response', () => assert.deepEqual(of('no response'), []));
  await report.check('B3', 'no response is a 5xx', () => assert.deepEqual(of('a server error'), []));
  await report.check('B3', 'no response contains a submitted value', () => {
    const echoes = of('a submitted value in the body', 'a submitted value in a header', 'an injected header');
    assert.deepEqual(echoes, []);
  });
}

function tableOf(counts: HostileCounts['byOperation']): string[] {
  const statuses = [...new Set(Object.values(counts).flatMap(Object.keys))].sort();
  const width = Math.max(...Object.keys(counts).map(({ length }) => length), 9);
  const row = (name: string, cells: (string | number)[]) =>
    `  ${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(7)).join('')}`;
  const rows = Object.entries(counts).map(([id, by]) =>
    row(
      id,
      statuses.map((status) => by[status] ?? 0),
    ),
  );
  return [row('operation', statuses), ...rows];
}
