import type { Location, Service, Specialist } from '@/lib/platform/generated/prisma/client';

/** By language tag. */
export type Translated = Record<string, string>;

type Text<K extends string> = { [P in K]: Translated };
type OptionalText<K extends string> = { [P in K]: Translated | null };

/** The text in the default language replaces a missing translation (contract B4). */
export type Languages = { locales: readonly string[]; defaultLocale: string };

export type CatalogLocation = Omit<Location, 'name'> & Text<'name'>;
export type CatalogService = Omit<Service, 'name' | 'description' | 'category'> &
  Text<'name'> &
  OptionalText<'description' | 'category'>;
export type CatalogSpecialist = Omit<Specialist, 'title' | 'description'> & OptionalText<'title' | 'description'>;
/** A specialist provides a service at a location. */
export type Offering = { specialistId: string; serviceId: string; locationId: string };
