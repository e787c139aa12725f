import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { makeExampleBooking } from '@/lib/booking/sandbox/example-booking';
import { refreshFromNow } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { derivedReference, SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { inTenant } from '@/lib/platform/tenant-scope';
import { placesOf, slotsOf } from './example-slots';
import { APPLICATIONS } from './seed/applications';

/** One for each operation on a booking whose example runs as it stands: read, cancel, reschedule, and owner actions. */
const EXAMPLES = [1, 2, 3, 4];

/** Days ahead. Late enough to be changed for weeks, and on other days than the slots of the examples. */
const FIRST_DAY = 28;

/** Minutes. With a longer cutoff, a booking could soon not be changed anymore. */
const MAX_CUTOFF = 3 * 1_440;

/** The references of the example bookings of the sandbox, which are the same after each reset. */
export const EXAMPLE_REFERENCES: readonly string[] = EXAMPLES.map((number) =>
  derivedReference(SANDBOX_TENANT_ID, `example ${number}`),
);

/**
 * Makes the bookings of the sandbox's first partner that the examples of the documentation need, once after the sandbox was
 * filled or reset: a booking that was changed stays as it is. Returns how many were made now. In LIVE, and without a sandbox,
 * makes none.
 */
export async function makeExampleBookings(now: Date): Promise<number> {
  const applicationId = APPLICATIONS[0]?.id ?? '';
  if (env().ENVIRONMENT !== 'TEST') return 0;
  const known = await inTenant(SANDBOX_TENANT_ID, async () => {
    const application = await db().application.findFirst({ where: { id: applicationId, tenantId: SANDBOX_TENANT_ID } });
    const where = { tenantId: SANDBOX_TENANT_ID, reference: { in: [...EXAMPLE_REFERENCES] } };
    return application && (await db().booking.findMany({ where, select: { reference: true } }));
  });
  if (known === null || known.length === EXAMPLES.length) return 0;
  // A reset has just replaced the catalog.
  await refreshFromNow();
  const catalog = await snapshotOf(SANDBOX_TENANT_ID);
  const places = placesOf(catalog).filter(
    ({ serviceId }) => (catalog.services.get(serviceId)?.cancellationCutoffMinutes ?? 0) < MAX_CUTOFF,
  );
  let made = 0;
  for (const number of EXAMPLES) {
    const reference = EXAMPLE_REFERENCES[number - 1] ?? '';
    if (known.some((one) => one.reference === reference)) continue;
    for (const { serviceId, locationId } of places) {
      const [slot] = await slotsOf(now, catalog, { serviceId, locationId }, FIRST_DAY + number);
      if (!slot) continue;
      const { date, start_time: startTime } = slot;
      const example = { applicationId, reference, externalReference: `example-${number}`, serviceId, locationId };
      if (await makeExampleBooking(now, catalog, { ...example, date, startTime })) made += 1;
      break;
    }
  }
  return made;
}
