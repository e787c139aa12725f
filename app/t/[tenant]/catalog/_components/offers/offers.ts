/** A specialist who offers a service at a location. */
export type OfferedBy = { specialist_id: string; location_id: string };

/** The HTML ID of the title of a section. The section lists the specialists who offer a service. */
export const OFFERED_BY = 'offered-by';

type Named = { id: string; name: string };

const keyOf = ({ specialist_id, location_id }: OfferedBy) => `${specialist_id} ${location_id}`;

/** Returns each pair once, in the server's order: by specialist, then by location. */
export function addOffers(before: readonly OfferedBy[], added: readonly OfferedBy[]): OfferedBy[] {
  const all = new Map([...before, ...added].map((pair) => [keyOf(pair), pair]));
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, pair]) => pair);
}

/** Returns the pairs that must be added to `before`, and the pairs that must be removed from it, to get `after`. */
export function offerChange(before: readonly OfferedBy[], after: readonly OfferedBy[]) {
  const without = (all: readonly OfferedBy[], others: readonly OfferedBy[]) => {
    const keys = new Set(others.map(keyOf));
    return all.filter((pair) => !keys.has(keyOf(pair)));
  };
  return { add: without(after, before), remove: without(before, after) };
}

/** Returns them in the order of the given `specialists` and `locations`. */
export function offersBySpecialist(
  pairs: readonly OfferedBy[],
  { specialists, locations }: { specialists: readonly Named[]; locations: readonly Named[] },
): (Named & { locations: Named[] })[] {
  const keys = new Set(pairs.map(keyOf));
  return specialists.flatMap(({ id, name }) => {
    const at = locations.filter((location) => keys.has(keyOf({ specialist_id: id, location_id: location.id })));
    return at.length > 0 ? [{ id, name, locations: at.map(({ id, name }) => ({ id, name })) }] : [];
  });
}
