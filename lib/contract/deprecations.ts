import type { OperationId } from './operations';

/** Instants in RFC 3339. */
export type Deprecation = { deprecated: string; sunset: string | null };

export type Deprecations = Partial<Record<OperationId, Deprecation>>;

/** The deprecated operations of v1 (contract A, guide to versions). None is. */
export const DEPRECATIONS: Deprecations = {};
