import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/capacity.md', 'utf8');
const benchmarks = readFileSync('docs/benchmarks.md', 'utf8');

/** Returns the number that the first group of a pattern matches in docs/benchmarks.md. */
function measured(pattern: RegExp): number {
  const [, found] = pattern.exec(benchmarks) ?? expect.unreachable(`docs/benchmarks.md does not match ${pattern}`);
  return Number(found?.replace(',', ''));
}

/** Returns the number in one row of the page's table of assumptions, such as `| bookings … | 8 |`. */
function assumed(name: string): number {
  const [, found] = new RegExp(`^\\| ${name} \\| ([\\d,.]+)(?: %)? \\|$`, 'm').exec(page) ?? expect.unreachable(name);
  return Number(found?.replace(',', ''));
}

const rate = (figure: string) => measured(new RegExp(`^\\| \`${figure}\` \\| .*; ([\\d,]+) per second`, 'm'));
/**
 * Returns the milliseconds of processor time per request. The machine of the benchmarks has two cores, which provide
 * 2,000 ms of processor time per second.
 */
const costOf = (figure: string) => 2_000 / rate(figure);
const WIDE = measured(/^\| `availability-wide` \| .* \| ([\d.]+) ms;/m);
const COSTS = {
  'catalog read': costOf('catalog'),
  'availability, one day, 5 specialists': costOf('availability'),
  'availability, 31 days, 30 specialists': WIDE,
  'booking, rescheduling, or cancellation': costOf('create'),
  'webhook delivery': costOf('deliveries'),
};

const number = (value: number) => Math.floor(value).toLocaleString('en');

test('the costs are those of docs/benchmarks.md', () => {
  for (const [name, cost] of Object.entries(COSTS))
    expect(page).toContain(`| ${name} | ${cost.toFixed(2)} ms | ${number(500 / cost)} |`);
  expect(page).toContain(`made ${number(rate('create'))} bookings per second`);
  expect(page).toContain(`was\n${measured(/([\d.]+) ms booked out/)} ms`);
});

test('the worked example follows from its assumptions and the costs', () => {
  const bookings = assumed('specialists') * assumed('bookings per specialist and day');
  const perSecond = (bookings * assumed('share of the busiest hour')) / 100 / 3_600;
  const writes = perSecond * (1 + assumed('changes per booking'));
  const searches = perSecond * assumed('availability reads per booking');
  const reads = perSecond * assumed('catalog reads per booking');
  const cores =
    (writes * (COSTS['booking, rescheduling, or cancellation'] + COSTS['webhook delivery']) +
      searches * WIDE +
      reads * COSTS['catalog read']) /
    1_000;
  const lines = ((writes + searches + reads) * 3_600 * 100) / assumed('share of the busiest hour');
  const wal = (bookings * (1 + assumed('changes per booking')) * measured(/A create writes ([\d.]+) KB/)) / 1_000;
  for (const row of [
    `| bookings per day | ${number(bookings)} |`,
    `| writes per second in the busiest hour | ${writes.toFixed(2)} |`,
    `| availability reads per second in the busiest hour | ${searches.toFixed(1)} |`,
    `| catalog reads per second in the busiest hour | ${reads.toFixed(1)} |`,
    `| cores in use | ${cores.toFixed(2)} |`,
    `| request log entries per day | ${number(lines)} |`,
    `| write-ahead log per day | ${number(wal)} MB |`,
    `| offerings, if each specialist provides all services at two locations | ${number(assumed('specialists') * assumed('services') * 2)} |`,
    `| chains of this size per core at 50 % | ${number(0.5 / cores)} |`,
  ])
    expect(page).toContain(row);
});
