import type { Location, Service, Specialist } from '@/lib/platform/generated/prisma/client';

/** Text in the tenant's languages. The keys are language tags. */
export type Translated = Record<string, string>;

type Text<K extends string> = { [P in K]: Translated };
type OptionalText<K extends string> = { [P in K]: Translated | null };

/**
 * The languages in which a tenant can store a text. If a text is missing in a language, the text in the default
 * language is used (contract B4).
 */
export type Languages = { locales: readonly string[]; defaultLocale: string };

/** A location whose translatable fields are `Translated` values instead of JSON. */
export type CatalogLocation = Omit<Location, 'name'> & Text<'name'>;
/** A service whose translatable fields are `Translated` values instead of JSON. */
export type CatalogService = Omit<Service, 'name' | 'description' | 'category'> &
  Text<'name'> &
  OptionalText<'description' | 'category'>;
/** A specialist whose translatable fields are `Translated` values instead of JSON. */
export type CatalogSpecialist = Omit<Specialist, 'title' | 'description'> & OptionalText<'title' | 'description'>;
/** An offering: a specialist provides a service at a location. */
export type Offering = { specialistId: string; serviceId: string; locationId: string };
