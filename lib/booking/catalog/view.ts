import { LRUCache } from 'lru-cache';
import { type AllowedLocations, mayUseLocation } from '@/lib/access/applications/policy';
import { location as locationSchema, service as serviceSchema } from '@/lib/contract/catalog';
import { specialist as specialistSchema } from '@/lib/contract/specialists';
import type { CatalogLocation, CatalogService, CatalogSpecialist, Offering, Translated } from './records';
import type { Catalog, RecordJson, ServiceJson, Snapshot, SpecialistJson, View } from './snapshot';

/** Four pages take about as much memory as the view itself. */
const MAX_PAGES = 4;

/**
 * Returns the records visible to the application, in one language: published and allowed locations, and published
 * services and specialists with an offering of `visibleOfferings` (contract B4, contract B5). The view is cached in the
 * snapshot.
 */
export function viewOf(snapshot: Snapshot, policy: AllowedLocations, locale: string): View {
  const key = `${locale} ${policy.locationKey}`;
  const cached = snapshot.views.get(key);
  if (cached) return cached;
  const view = buildView(snapshot, policy, locale);
  snapshot.views.set(key, view);
  return view;
}

/** Service and location are published, and the policy allows the location. */
function visibleOfferings(catalog: Catalog, policy: AllowedLocations): Offering[] {
  return catalog.offerings.filter(
    ({ serviceId, locationId }) =>
      mayUseLocation(policy, locationId) &&
      catalog.locations.get(locationId)?.published &&
      catalog.services.get(serviceId)?.published,
  );
}

function buildView(catalog: Catalog, policy: AllowedLocations, locale: string): View {
  const visible = visibleOfferings(catalog, policy);
  const read = <T extends object>(build: (text: Reader) => T): T & Pick<RecordJson, 'languages'> => {
    const languages = new Set<string>();
    const text = (texts: Translated) => {
      const language = [locale, catalog.defaultLocale, ...Object.keys(texts)].find((one) => texts[one] !== undefined);
      if (language === undefined) return '';
      languages.add(language);
      return texts[language] ?? '';
    };
    return { ...build(text), languages };
  };
  const byService = grouped(visible, 'serviceId');
  const bySpecialist = grouped(visible, 'specialistId');
  return {
    services: [...catalog.services.values()].flatMap((service) => {
      const offerings = byService.get(service.id);
      return offerings ? [read((text) => serviceJson(service, idsOf(offerings, 'locationId'), text))] : [];
    }),
    locations: new Map(
      [...catalog.locations.values()].flatMap((location) =>
        location.published && mayUseLocation(policy, location.id)
          ? [[location.id, read((text) => locationJson(location, text))] as const]
          : [],
      ),
    ),
    specialists: [...catalog.specialists.values()].flatMap((specialist) => {
      const offerings = specialist.published && bySpecialist.get(specialist.id);
      return offerings ? [read((text) => specialistJson(specialist, offerings, text))] : [];
    }),
    pages: new LRUCache({ max: MAX_PAGES }),
  };
}

function grouped(offerings: readonly Offering[], key: keyof Offering): Map<string, Offering[]> {
  const groups = new Map<string, Offering[]>();
  for (const offering of offerings) {
    const group = groups.get(offering[key]);
    if (group) group.push(offering);
    else groups.set(offering[key], [offering]);
  }
  return groups;
}

type Reader = (texts: Translated) => string;

function idsOf(offerings: readonly Offering[], key: keyof Offering): string[] {
  return [...new Set(offerings.map((offering) => offering[key]))].sort();
}

// The contract's schema selects the fields, so that other columns are never returned.
function serviceJson(service: CatalogService, locationIds: string[], text: Reader): Omit<ServiceJson, 'languages'> {
  const { priceAmount: amount, priceCurrency: currency } = service;
  const record = serviceSchema.parse({
    id: service.id,
    name: text(service.name),
    description: service.description && text(service.description),
    category: service.category && text(service.category),
    duration_minutes: service.durationMinutes,
    slot_interval_minutes: service.slotIntervalMinutes,
    price: amount === null ? null : { amount, currency },
    capacity: service.capacity,
    min_lead_minutes: service.minLeadMinutes,
    max_advance_days: service.maxAdvanceDays,
    cancellation_cutoff_minutes: service.cancellationCutoffMinutes,
    location_ids: locationIds,
  });
  return { id: service.id, json: Buffer.from(JSON.stringify(record)), locationIds };
}

function locationJson(location: CatalogLocation, text: Reader): Pick<RecordJson, 'json'> {
  const { id, line1, city, postalCode, country, timeZone, phone } = location;
  const address = { line1, city, postal_code: postalCode, country };
  const record = locationSchema.parse({ id, name: text(location.name), address, time_zone: timeZone, phone });
  return { json: Buffer.from(JSON.stringify(record)) };
}

function specialistJson(
  specialist: CatalogSpecialist,
  offerings: readonly Offering[],
  text: Reader,
): Omit<SpecialistJson, 'languages'> {
  const record = specialistSchema.parse({
    id: specialist.id,
    display_name: specialist.displayName,
    title: specialist.title && text(specialist.title),
    description: specialist.description && text(specialist.description),
    image_url: specialist.imageUrl,
    service_ids: idsOf(offerings, 'serviceId'),
    location_ids: idsOf(offerings, 'locationId'),
  });
  return { id: specialist.id, json: Buffer.from(JSON.stringify(record)), offerings };
}

/** Returns the Content-Language of these records: the languages of their texts, that of the view first. */
export function languagesOf(records: readonly RecordJson[], locale: string): string {
  const used = new Set(records.flatMap(({ languages }) => [...languages]));
  const others = [...used].filter((language) => language !== locale).sort();
  return (used.size === 0 || used.has(locale) ? [locale, ...others] : others).join(', ');
}
