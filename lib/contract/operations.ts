import type { z } from 'zod';
import { catalogData, catalogQuery } from './catalog';
import type { Scope } from './common';
import { specialistsData, specialistsQuery } from './specialists';

/** One route of the public API, as routes, edge, OpenAPI and tests read it. */
export type Operation = {
  id: string;
  method: 'GET' | 'POST';
  /** Path below the base path, with `{name}` for one variable segment. */
  path: string;
  scope: Scope;
  query: z.ZodType;
  data: z.ZodType;
};

/** Base path of the public API (contract A). */
export const BASE_PATH = '/api/partner/v1';

/** `GET /catalog` (contract B4). */
export const listCatalog = {
  id: 'listCatalog',
  method: 'GET',
  path: '/catalog',
  scope: 'catalog.read',
  query: catalogQuery,
  data: catalogData,
} as const satisfies Operation;

/** `GET /catalog/specialists` (contract B5). */
export const listSpecialists = {
  id: 'listSpecialists',
  method: 'GET',
  path: '/catalog/specialists',
  scope: 'catalog.read',
  query: specialistsQuery,
  data: specialistsData,
} as const satisfies Operation;

/** Every operation of the public API: the one list of its routes. */
export const OPERATIONS: readonly Operation[] = [listCatalog, listSpecialists];
