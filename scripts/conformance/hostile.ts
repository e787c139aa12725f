import assert from 'node:assert/strict';
import type { Described } from './document';
import type { Options } from './options';
import type { HostileCounts, Report } from './report';
import type { Variant } from './variant-parts';
import { variantsOf } from './variants';
import { type Reply, Wire } from './wire';

const LEAST = 5_000;
const AT_ONCE = 8;
const SHOW_EVERY = 500;
const EXAMPLES = 10;

/** A finding: which variant, and what it was answered. No value that was sent is in it. */
type Finding = { operation: string; what: string; status: number; problem: string };

function problemOf({ status, text, headers }: Reply, marker: string): string | null {
  if (status >= 500) return 'a server error';
  if (text.includes(marker)) return 'a submitted value in the body';
  if (Object.values(headers).some((value) => value?.includes(marker))) return 'a submitted value in a header';
  if ('x-injected' in headers) return 'an injected header';
  return null;
}

/**
 * Sends malformed variants of every operation of the OpenAPI document (contract B3: never a 5xx, never an echo) and
 * returns the counts by operation and status.
 */
export async function hostile(operations: Described[], options: Options, report: Report): Promise<HostileCounts> {
  report.begin(`Hostile: at least ${LEAST} malformed requests over ${operations.length} operations`);
  // A wire of its own: what these answers lack is reported with them.
  const wire = new Wire(options, report);
  const counts: HostileCounts['byOperation'] = {};
  const findings: Finding[] = [];
  const variants = variantsOf(operations, LEAST);
  let sent = 0;
  let malformed = 0;
  const worker = async () => {
    for (const variant of variants) {
      const reply = await sendVariant(wire, variant);
      sent += 1;
      if (variant.malformed && reply) malformed += 1;
      if (sent % SHOW_EVERY === 0) report.say(`  … ${sent} sent`);
      const { operation, what, marker } = variant;
      const statuses = counts[operation] ?? {};
      const status = reply?.status ?? 0;
      counts[operation] = { ...statuses, [status]: (statuses[status] ?? 0) + 1 };
      const problem = reply ? problemOf(reply, marker) : 'no answer';
      if (problem) findings.push({ operation, what, status, problem });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const line of tableOf(counts)) report.say(line);
  await judge(
    report,
    findings,
    operations.map(({ id }) => id),
    malformed,
  );
  await wire.conclude('Every answer to a malformed request');
  return { malformed, byOperation: counts };
}

async function sendVariant(wire: Wire, { path, method, headers, body }: Variant): Promise<Reply | null> {
  return await wire.send(path, { method, headers, body }).catch(() => null);
}

async function judge(report: Report, findings: Finding[], operations: string[], malformed: number): Promise<void> {
  const of = (...problems: string[]) => findings.filter(({ problem }) => problems.includes(problem)).slice(0, EXAMPLES);
  await report.check(
    'B3',
    `at least ${LEAST} different malformed requests were answered, of ${operations.length} operations`,
    () => {
      assert.ok(malformed >= LEAST, `${malformed} were`);
    },
  );
  await report.check('B3', 'every one of them got an answer', () => assert.deepEqual(of('no answer'), []));
  await report.check('B3', 'none was answered with a 5xx', () => assert.deepEqual(of('a server error'), []));
  await report.check('B3', 'no submitted value came back', () => {
    const echoes = of('a submitted value in the body', 'a submitted value in a header', 'an injected header');
    assert.deepEqual(echoes, []);
  });
}

/** The counts as a table: a line for each operation, a column for each status. */
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
