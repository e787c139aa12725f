import type { Described } from './document';
import { bodyVariants, headerVariants, pathVariants, queryVariants, randomVariants } from './variant-kinds';
import { baseOf, escapedPairs, type Part, type Variant, withQuery } from './variant-parts';

/** Unique, valid in paths and headers, and in no response by chance. */
const markerOf = (i: number) => `zq${i.toString(36).padStart(5, '0')}xv`;

const MARKER = /zq[0-9a-z]{5}xv/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The same for variants that differ only in their marker or idempotency key. */
function fingerprint({ method, path, headers, body }: Variant): string {
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : body;
  return JSON.stringify([method, path, headers, text]).replace(UUID, '').replace(MARKER, '');
}

/** The first round yields all changes that are not random. Later rounds yield random changes. */
function* partsOf(operation: Described, round: number, marker: string): Generator<[string, Part]> {
  const base = baseOf(operation);
  if (round > 0) {
    yield* randomVariants(operation, base, marker);
    return;
  }
  for (const kind of [queryVariants, bodyVariants, pathVariants]) yield* kind(operation, base, marker);
  yield* headerVariants(base, marker);
}

function variantOf(operation: Described, what: string, part: Part): Variant {
  const base = baseOf(operation);
  return {
    operation: operation.id,
    what,
    method: operation.method,
    path: part.path ?? withQuery(base.path, escapedPairs(base.query)),
    headers: part.headers ?? base.headers,
    body: part.body ?? (base.body ? JSON.stringify({ ...base.body, external_reference: 'variant' }) : undefined),
    malformed: part.malformed ?? true,
    marker: [part.path, JSON.stringify(part.headers), part.body].join(' ').match(MARKER)?.[0] ?? 'zq-none-xv',
  };
}

/**
 * Yields different requests for every operation, in rounds, until at least `least` are malformed or a round has no new
 * one. They name no existing record, so they cannot create or change a booking.
 */
export function* variantsOf(operations: readonly Described[], least: number): Generator<Variant> {
  const seen = new Set<string>();
  let malformed = 0;
  for (let round = 0; malformed < least; round += 1) {
    const before = seen.size;
    for (const operation of operations) {
      for (const [what, part] of partsOf(operation, round, markerOf(seen.size))) {
        const variant = variantOf(operation, what, part);
        const key = fingerprint(variant);
        if (seen.has(key)) continue;
        seen.add(key);
        if (variant.malformed) malformed += 1;
        yield variant;
      }
    }
    // Further rounds would probably yield none.
    if (seen.size === before) return;
  }
}
