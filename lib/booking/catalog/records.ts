import type { Location, Service, Specialist } from '@/lib/platform/generated/prisma/client';

/** A text in the tenant's languages: language tag → text. */
export type Translated = Record<string, string>;

type Text<K extends string> = { [P in K]: Translated };
type OptionalText<K extends string> = { [P in K]: Translated | null };

/** The languages in which a tenant keeps its texts. Texts fall back to the default language (contract B4). */
export type Languages = { locales: readonly string[]; defaultLocale: string };

/** A location with its texts read. */
export type CatalogLocation = Omit<Location, 'name'> & Text<'name'>;
/** A service with its texts read. */
export type CatalogService = Omit<Service, 'name' | 'description' | 'category'> &
  Text<'name'> &
  OptionalText<'description' | 'category'>;
/** A specialist with their texts read. */
export type CatalogSpecialist = Omit<Specialist, 'title' | 'description'> & OptionalText<'title' | 'description'>;
/** Who offers what where. */
export type Offering = { specialistId: string; serviceId: string; locationId: string };
