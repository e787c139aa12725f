import { setTimeout as delay } from 'node:timers/promises';
import { createApplication, type PolicyInput } from '@/lib/access/applications/applications';
import { issueKey } from '@/lib/access/applications/keys';
import type { Actor } from '@/lib/activity/audit/actor';
import { SCOPES } from '@/lib/contract/common';
import { markChanged } from '@/lib/platform/cache/changes';
import { db } from '@/lib/platform/db';
import type { Location, Service, Specialist, Tenant } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';

/** Milliseconds (architecture 6). */
const SEEN_WITHIN = 1_000;

const SYSTEM: Actor = { kind: 'system' };

/** In English and German. */
export async function makeTenant(data: Partial<Tenant> = {}): Promise<Tenant> {
  return db().tenant.create({
    data: {
      id: newId('ten'),
      name: 'Tenant',
      timeZone: 'Europe/Berlin',
      defaultLocale: 'en',
      locales: ['en', 'de'],
      ...data,
    },
  });
}

/** Open every day from 09:00 to 17:00. */
export async function makeLocation(
  tenantId: string,
  data: Partial<Omit<Location, 'name'>> & { name?: object } = {},
): Promise<Location> {
  const id = data.id ?? newId('loc');
  return db().location.create({
    data: {
      name: { en: 'Studio', de: 'Studio (de)' },
      line1: '1 Example Street',
      city: 'Berlin',
      postalCode: '10115',
      country: 'DE',
      timeZone: 'Europe/Berlin',
      published: true,
      ...data,
      id,
      tenantId,
      hours: { create: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: '09:00', closes: '17:00' })) },
    },
  });
}

type ServiceData = Partial<Omit<Service, 'name' | 'description' | 'category'>> & {
  name?: object;
  description?: object;
  category?: object;
};

/** For one customer, 30 minutes long, with starts every 30 minutes. */
export async function makeService(tenantId: string, data: ServiceData = {}): Promise<Service> {
  return db().service.create({
    data: {
      id: newId('svc'),
      tenantId,
      name: { en: 'Haircut', de: 'Haarschnitt' },
      durationMinutes: 30,
      slotIntervalMinutes: 30,
      maxAdvanceDays: 365,
      published: true,
      ...data,
    },
  });
}

export async function makeSpecialist(
  tenantId: string,
  data: Partial<Omit<Specialist, 'title' | 'description'>> & { title?: object; description?: object } = {},
): Promise<Specialist> {
  return db().specialist.create({
    data: { id: newId('spc'), tenantId, displayName: 'Alex Example', published: true, ...data },
  });
}

/** All specialists offer all services at all locations, 09:00 to 17:00 every day. */
export async function offer(
  tenantId: string,
  specialists: Specialist[],
  services: Service[],
  locations: Location[],
): Promise<void> {
  const at = specialists.flatMap((specialist) =>
    locations.map((location) => ({ tenantId, specialistId: specialist.id, locationId: location.id })),
  );
  await db().offering.createMany({
    data: at.flatMap((pair) => services.map((service) => ({ ...pair, serviceId: service.id }))),
    skipDuplicates: true,
  });
  await db().specialistHours.createMany({
    data: at.flatMap((pair) =>
      [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ ...pair, weekday, opens: '09:00', closes: '17:00' })),
    ),
    skipDuplicates: true,
  });
}

/** `policy` replaces parts of the default policy, which allows all scopes and locations. */
export async function makeApplication(
  tenantId: string,
  policy: Partial<PolicyInput> = {},
): Promise<{ applicationId: string; keyId: string; key: string }> {
  const now = new Date();
  const input = {
    name: 'Partner',
    scopes: SCOPES,
    allLocations: true,
    locationIds: [],
    origins: [],
    networks: [],
    quota: 100_000,
    agentsAsk: true,
    ...policy,
  };
  const application = await createApplication(now, { tenantId, actor: SYSTEM }, input);
  const issued = await issueKey(now, {
    tenantId,
    applicationId: application.id,
    name: 'Key',
    expiresAt: null,
    actor: SYSTEM,
  });
  return { applicationId: application.id, keyId: issued.record.id, key: issued.key };
}

/** One service that one specialist offers at one location, and an application with a key. */
export async function makeBusiness(policy: Partial<PolicyInput> = {}) {
  const tenant = await makeTenant();
  const [location, service, specialist] = await Promise.all([
    makeLocation(tenant.id),
    makeService(tenant.id),
    makeSpecialist(tenant.id),
  ]);
  await offer(tenant.id, [specialist], [service], [location]);
  const application = await makeApplication(tenant.id, policy);
  return { tenant, location, service, specialist, ...application };
}

/** After a direct change of the tables. Waits until no server serves an older catalog. */
export async function catalogChanged(tenantId: string): Promise<void> {
  await markChanged(db(), 'catalog', tenantId);
  await delay(SEEN_WITHIN);
}
