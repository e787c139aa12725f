import type { Final, History, State } from '@/tests/support/history/anomalies';
import { pick, seeded } from '@/tests/support/random';

const CAPACITY = 2;
const SLOTS = 4;
const STEPS = 200;
const HOUR = 3_600_000;

/**
 * Simulates a correct service that handles one request at a time, and returns its clients' history. Some responses
 * are lost. The clients then repeat the writes.
 */
export function modelHistory(seed: number): { history: History; final: Final } {
  const random = seeded(seed);
  const history: History = { writes: [], reads: [] };
  const events: State[] = [];
  const rows = new Map<string, State>();
  const full = (hour: number) =>
    [...rows.values()].filter(({ status, startsAt }) => status === 'confirmed' && startsAt === hour * HOUR).length ===
    CAPACITY;
  const apply = (reference: string): State | 'refused' => {
    const row = rows.get(reference);
    const hour = Math.floor(random() * SLOTS);
    if (row && row.status !== 'confirmed') return 'refused';
    const cancels = row && random() < 0.4;
    if (!cancels && full(hour)) return 'refused';
    const slot = { specialistId: 'spc', startsAt: hour * HOUR, endsAt: (hour + 1) * HOUR };
    const fresh: State = { reference, version: 1, status: 'confirmed', ...slot };
    const changed = row && { ...row, version: row.version + 1, ...(cancels ? { status: 'cancelled' } : slot) };
    const state = changed ?? fresh;
    rows.set(reference, state);
    events.push(state);
    return state;
  };
  for (let step = 0; step < STEPS; step += 1) {
    // The request takes effect at the time `step`. It begins earlier and ends later, so requests can overlap.
    const span = { begun: step - random() * 3, ended: step + random() * 3 };
    const known = [...rows.keys()];
    if (known.length > 0 && random() < 0.3) {
      const reference = pick(random, known);
      history.reads.push({ ...span, reference, result: rows.get(reference) ?? 'missing' });
      continue;
    }
    const reference = known.length > 0 && random() < 0.6 ? pick(random, known) : `pbr_${step}`;
    const result = apply(reference);
    const key = `write ${step}`;
    if (random() < 0.2) {
      history.writes.push({ ...span, key, result: 'unknown' });
      history.writes.push({ key, begun: step + 10, ended: step + 11, result });
    } else history.writes.push({ ...span, key, result });
  }
  return { history, final: { events, bookings: [...rows.values()], capacity: CAPACITY } };
}
