import { setTimeout as delay } from 'node:timers/promises';
import type { PolicyInput } from '@/lib/access/applications/applications';
import { generateKey, hashKey, startOfKey } from '@/lib/access/applications/key-format';
import { SCOPES } from '@/lib/contract/common';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import type { Location, Service, Specialist, Tenant } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { type Insert, insertRow, insertRows } from './insert';

/** Milliseconds (architecture 6). */
const SEEN_WITHIN = 1_000;

type Name = { name?: object };
type LocationData = Partial<Omit<Location, 'name'>> & Name;
export type ServiceData = Partial<Omit<Service, 'name' | 'description' | 'category'>> &
  Name & { description?: object; category?: object };
type SpecialistData = Partial<Omit<Specialist, 'title' | 'description'>> & { title?: object; description?: object };

const DAYS = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: '09:00', closes: '17:00' }));

const tenantOf = (data: Partial<Tenant> = {}) => ({
  id: newId('ten'),
  name: 'Tenant',
  timeZone: 'Europe/Berlin',
  defaultLocale: 'en',
  locales: ['en', 'de'],
  ...data,
});

const locationOf = (tenantId: string, data: LocationData = {}) => ({
  id: newId('loc'),
  name: { en: 'Studio', de: 'Studio (de)' },
  line1: '1 Example Street',
  city: 'Berlin',
  postalCode: '10115',
  country: 'DE',
  timeZone: 'Europe/Berlin',
  published: true,
  ...data,
  tenantId,
});

const hoursOf = (locationId: string): Insert => ['location_hours', DAYS.map((day) => ({ locationId, ...day }))];

const serviceOf = (tenantId: string, data: ServiceData = {}) => ({
  id: newId('svc'),
  tenantId,
  name: { en: 'Haircut', de: 'Haarschnitt' },
  durationMinutes: 30,
  slotIntervalMinutes: 30,
  maxAdvanceDays: 365,
  published: true,
  ...data,
});

const specialistOf = (tenantId: string, data: SpecialistData = {}) => ({
  id: newId('spc'),
  tenantId,
  displayName: 'Alex Example',
  published: true,
  ...data,
});

type Id = { id: string };

function offeringsOf(tenantId: string, specialists: Id[], services: Id[], locations: Id[]): Insert[] {
  const at = specialists.flatMap(({ id: specialistId }) =>
    locations.map(({ id: locationId }) => ({ tenantId, specialistId, locationId })),
  );
  return [
    ['offerings', at.flatMap((pair) => services.map(({ id: serviceId }) => ({ ...pair, serviceId }))), 'skip'],
    ['specialist_hours', at.flatMap((pair) => DAYS.map((day) => ({ ...pair, ...day }))), 'skip'],
  ];
}

/** In English and German. */
export async function makeTenant(data: Partial<Tenant> = {}): Promise<Tenant> {
  return insertRow('tenants', tenantOf(data));
}

/** Open every day from 09:00 to 17:00. */
export async function makeLocation(tenantId: string, data: LocationData = {}): Promise<Location> {
  const location = locationOf(tenantId, data);
  const [[made] = []] = await insertRows(['locations', [location]], hoursOf(location.id));
  return made as Location;
}

/** For one customer, 30 minutes long, with starts every 30 minutes. */
export async function makeService(tenantId: string, data: ServiceData = {}): Promise<Service> {
  return insertRow('services', serviceOf(tenantId, data));
}

export async function makeSpecialist(tenantId: string, data: SpecialistData = {}): Promise<Specialist> {
  return insertRow('specialists', specialistOf(tenantId, data));
}

/** All specialists offer all services at all locations, 09:00 to 17:00 every day. */
export async function offer(tenantId: string, specialists: Id[], services: Id[], locations: Id[]): Promise<void> {
  await insertRows(...offeringsOf(tenantId, specialists, services, locations));
}

export type MadeApplication = { applicationId: string; keyId: string; key: string };

/** The rows that `createApplication` and `issueKey` write. */
function applicationOf(tenantId: string, changes: Partial<PolicyInput>): MadeApplication & { inserts: Insert[] } {
  const at = new Date();
  const [applicationId, keyId, key] = [newId('app'), newId('key'), generateKey()];
  const { locationIds = [], ...policy } = changes;
  const [start, lastFour, prefix] = [startOfKey(key), key.slice(-4), env().keyPrefix];
  const hash = { keyHash: hashKey(key), prefix, start, lastFour };
  const application = {
    name: 'Partner',
    scopes: SCOPES,
    allLocations: true,
    origins: [],
    networks: [],
    quota: 100_000,
    agentsAsk: true,
    ...policy,
  };
  const audited = (action: string, objectId: string, after: object) => {
    const objectKind = action.split('.')[0];
    return { id: newId('aud'), at, tenantId, actorKind: 'system', action, objectKind, objectId, after };
  };
  const { allLocations, agentsAsk, ...rest } = application;
  const created = { ...rest, all_locations: allLocations, location_ids: locationIds, agents_ask: agentsAsk };
  const issued = { name: 'Key', application_id: applicationId, last_four: lastFour, expires_at: null };
  const inserts: Insert[] = [
    ['applications', [{ id: applicationId, tenantId, createdAt: at, ...application }]],
    ['application_locations', locationIds.map((locationId) => ({ tenantId, applicationId, locationId }))],
    ['api_keys', [{ id: keyId, applicationId, name: 'Key', createdAt: at, ...hash }]],
    ['audit_log', [audited('application.created', applicationId, created), audited('key.issued', keyId, issued)]],
  ];
  return { applicationId, keyId, key, inserts };
}

/** `policy` replaces parts of the default policy, which allows all scopes and locations. */
export async function makeApplication(tenantId: string, policy: Partial<PolicyInput> = {}): Promise<MadeApplication> {
  const { inserts, ...made } = applicationOf(tenantId, policy);
  await insertRows(...inserts);
  return made;
}

type Cast = {
  policies?: Partial<PolicyInput>[];
  services?: (ServiceData | undefined)[];
  location?: LocationData;
  specialists?: number;
};

/** All specialists offer all services at one location. An application per policy. Specialists are sorted by id. */
export async function makeCast({ policies = [{}], services = [{}], location = {}, specialists = 1 }: Cast) {
  const tenant = tenantOf();
  const place = locationOf(tenant.id, location);
  const offered = services.map((data) => serviceOf(tenant.id, data));
  const staff = Array.from({ length: specialists }, () => specialistOf(tenant.id));
  const made = policies.map((policy) => applicationOf(tenant.id, policy));
  const [tenants, locations, , storedStaff, ...others] = await insertRows(
    ['tenants', [tenant]],
    ['locations', [place]],
    hoursOf(place.id),
    ['specialists', staff],
    // Their fields can differ.
    ...offered.map((service): Insert => ['services', [service]]),
    ...offeringsOf(tenant.id, staff, offered, [place]),
    ...made.flatMap(({ inserts }) => inserts),
  );
  return {
    tenant: tenants?.[0] as Tenant,
    location: locations?.[0] as Location,
    services: others.slice(0, offered.length).flat() as Service[],
    specialists: storedStaff as Specialist[],
    applications: made.map(({ inserts: _, ...application }) => application),
  };
}

/** One service that one specialist offers at one location, and an application with a key. */
export async function makeBusiness(policy: Partial<PolicyInput> = {}) {
  const { tenant, location, services, specialists, applications } = await makeCast({ policies: [policy] });
  const [service, specialist, application] = [services[0], specialists[0], applications[0]] as const;
  if (!service || !specialist || !application) throw new Error('nothing was inserted');
  return { tenant, location, service, specialist, ...application };
}

/** After a direct change of the tables. Waits until no server serves an older catalog. */
export async function catalogChanged(tenantId: string): Promise<void> {
  await markChanged(db(), 'catalog', tenantId);
  await delay(SEEN_WITHIN);
}
