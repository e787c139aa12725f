import type { Described } from './document';
import { bodyVariants, headerVariants, pathVariants, queryVariants, randomVariants } from './variant-kinds';
import { baseOf, type Part, type Variant, withQuery, written } from './variant-parts';

/** Returns a source of markers: texts that no answer has a reason to hold, safe in paths and header values. */
const markerOf = (i: number) => `zq${i.toString(36).padStart(5, '0')}xv`;

const MARKER = /zq[0-9a-z]{5}xv/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What two variants have in common that differ in nothing but marker and fresh idempotency key. */
function likeness({ method, path, headers, body }: Variant): string {
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : body;
  return JSON.stringify([method, path, headers, text]).replace(UUID, '').replace(MARKER, '');
}

/** First each kind of value in each place, then random texts: another round of the first would be the same again. */
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
    path: part.path ?? withQuery(base.path, written(base.query)),
    headers: part.headers ?? base.headers,
    body: part.body ?? (base.body ? JSON.stringify({ ...base.body, external_reference: 'variant' }) : undefined),
    malformed: part.malformed ?? true,
    marker: [part.path, JSON.stringify(part.headers), part.body].join(' ').match(MARKER)?.[0] ?? 'zq-none-xv',
  };
}

/**
 * Returns variants of every operation, no two alike, until at least `least` of them are malformed: each kind of value in
 * each place, and then random texts. None names a record that exists, so none can make or change a booking.
 */
export function* variantsOf(operations: readonly Described[], least: number): Generator<Variant> {
  const seen = new Set<string>();
  let malformed = 0;
  for (let round = 0; malformed < least; round += 1) {
    const before = seen.size;
    for (const operation of operations) {
      for (const [what, part] of partsOf(operation, round, markerOf(seen.size))) {
        const variant = variantOf(operation, what, part);
        const like = likeness(variant);
        if (seen.has(like)) continue;
        seen.add(like);
        if (variant.malformed) malformed += 1;
        yield variant;
      }
    }
    // Operations without anything to vary would never come to an end.
    if (seen.size === before) return;
  }
}
