import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { callProcedure, makePerson, openSessionOf } from '../../support/control-center';
import { partnerRequest } from '../compare';
import type { Outcome } from '../figure';
import { runProbe } from '../probe';
import { sized } from '../size';
import type { Stage } from '../stage';

/** Number of specialists in the document. With 600, the document has almost 16 MiB and 144,000 offerings. */
const SPECIALISTS = sized(600, 40);
const SERVICES = 120;
/** Number of exceptions of each specialist at each location. */
const EXCEPTIONS = 40;
/** Number of clients that read the catalog during the import. Each reads it every 50 ms. */
const CLIENTS = 5;
/** Milliseconds for which these clients read the catalog before the check. */
const WARM_UP = 2_000;

/**
 * Measures how long a check and an import of a large catalog document delay other requests. The value is the duration
 * in milliseconds of the slowest catalog read of another tenant during the check and the import.
 */
export async function measureImport(stage: Stage): Promise<Outcome> {
  const tenantId = await makeTenant(stage);
  const { port } = await stage.serve();
  const cookie = await openSessionOf(await makePerson(tenantId));
  // The first call after a start loads the code of all procedures, which takes about half a second.
  await callProcedure('catalog.transfer.export', { origin: `http://127.0.0.1:${port}`, cookie, type: 'query' });
  const text = JSON.stringify(makeDocument());
  const packed = gzipSync(text).toString('base64');
  const call = async (path: string, input: object) => {
    const request = { origin: `http://127.0.0.1:${port}`, cookie, type: 'mutation', input } as const;
    const { data, error } = await callProcedure(`catalog.transfer.${path}`, request);
    if (error) throw new Error(`The ${path} was refused: ${error.message}`);
    return data as { basis: string; plan: { basis: string } | null };
  };
  const probes = () => Array.from({ length: CLIENTS }, () => runProbe(port, partnerRequest(stage, '/catalog')));
  // The first reads after a start load the catalog, and the code that they run is not compiled yet.
  const warmUp = probes();
  await delay(WARM_UP);
  await Promise.all(warmUp.map((probe) => probe.end()));
  const beside = async <T>(run: () => Promise<T>) => {
    const reads = probes();
    const startedAt = performance.now();
    const result = await run();
    const seconds = (performance.now() - startedAt) / 1000;
    const longest = Math.max(...(await Promise.all(reads.map((probe) => probe.end()))));
    return { result, longest, seconds };
  };
  const check = await beside(() => call('check', { packed }));
  const { plan } = check.result;
  if (!plan) throw new Error('The document has errors.');
  const applied = await beside(() => call('import', { packed, basis: plan.basis }));
  const note = (what: string, { longest, seconds }: { longest: number; seconds: number }) =>
    `${what}: ${seconds.toFixed(1)} s, longest catalog read ${longest.toFixed(0)} ms`;
  return {
    value: Math.max(check.longest, applied.longest),
    rows: [],
    notes: [`${(text.length / 2 ** 20).toFixed(1)} MiB`, note('check', check), note('import', applied)],
  };
}

/** Creates a tenant without records, with the same languages as the stage's tenant. Returns its id. */
async function makeTenant({ tenantId }: Stage): Promise<string> {
  const [{ db }, { newId }] = await Promise.all([import('@/lib/platform/db'), import('@/lib/platform/ids')]);
  const { name, timeZone, locales, defaultLocale } = await db().tenant.findUniqueOrThrow({ where: { id: tenantId } });
  const created = await db().tenant.create({ data: { id: newId('ten'), name, timeZone, locales, defaultLocale } });
  return created.id;
}

function makeDocument() {
  const name = (text: string) => ({ en: text });
  const hours = Array.from({ length: 14 }, (_, n) =>
    n % 2 === 0
      ? { weekday: (n >> 1) + 1, opens: '09:00', closes: '13:00' }
      : { weekday: (n >> 1) + 1, opens: '14:00', closes: '18:00' },
  );
  const date = (n: number) => new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10);
  const exceptions = Array.from({ length: EXCEPTIONS }, (_, n) => ({
    date: date(n),
    hours: [{ opens: '10:00', closes: '12:00' }],
    note: 'Reduced hours',
  }));
  const services = Array.from({ length: SERVICES }, (_, n) => ({
    ...{ id: `service-${String(n).padStart(56, '0')}`, published: true, name: name(`Service ${n}`) },
    ...{ duration_minutes: 30, slot_interval_minutes: 15, max_advance_days: 90 },
  }));
  const address = { line1: '1 Example Street', city: 'Berlin', postal_code: '10115', country: 'DE' };
  const locations = Array.from({ length: 20 }, (_, n) => ({
    ...{ id: `location-${n}`, published: true, name: name(`Location ${n}`), address, time_zone: 'Europe/Berlin' },
    ...{ hours, exceptions },
  }));
  const offered = services.map(({ id }) => id);
  const placeOf = (n: number) => ({ location_id: `location-${n % 20}`, service_ids: offered, hours, exceptions });
  const specialists = Array.from({ length: SPECIALISTS }, (_, n) => ({
    ...{ id: `specialist-${n}`, published: true, display_name: `Specialist ${n}` },
    workplaces: [placeOf(n), placeOf(n + 1)],
    time_off: exceptions.map((exception) => ({ from: `${exception.date}T08:00`, to: `${exception.date}T19:00` })),
  }));
  return { format: 'partner-booking-catalog/1', locations, services, specialists };
}
