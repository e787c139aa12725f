import type { Described } from './document';
import { bodyVariants, headerVariants, pathVariants, queryVariants, randomVariants } from './variant-kinds';
import { baseOf, escapedPairs, type Part, type Variant, withQuery } from './variant-parts';

/** Returns a unique string that is valid in paths and headers. No response contains it by chance. */
const markerOf = (i: number) => `zq${i.toString(36).padStart(5, '0')}xv`;

const MARKER = /zq[0-9a-z]{5}xv/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns the same fingerprint for variants that differ only in their marker (see `markerOf`) or idempotency key. */
function fingerprint({ method, path, headers, body }: Variant): string {
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : body;
  return JSON.stringify([method, path, headers, text]).replace(UUID, '').replace(MARKER, '');
}

/**
 * Yields the changes that turn a well-formed request of an operation into malformed or unusual requests. The first
 * round yields all changes that are not random. Later rounds yield random changes.
 */
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
 * Yields different requests for every operation, in rounds. Ends after the round in which the total number of malformed
 * requests reaches `least`, or after a round without a new request. The first round puts every hostile value into every
 * part of a request. Later rounds use random texts.
 * Variants name no existing record, so they cannot create or change a booking.
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
    // This round yielded no new variant, so further rounds would probably yield none.
    if (seen.size === before) return;
  }
}
