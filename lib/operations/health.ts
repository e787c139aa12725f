import { isFresh } from '@/lib/platform/cache/listener';
import { pool } from '@/lib/platform/db';
import { singleton } from '@/lib/platform/singleton';
import { within } from '@/lib/platform/write-transaction';

/** Milliseconds that the database may take to answer; who asks for our health does not wait for long either. */
const PATIENCE = 2_000;

type State = { draining: boolean; asking: Promise<boolean> | null };

function state(): State {
  return singleton('health', () => ({ draining: false, asking: null }));
}

/** `draining`: told to stop, still answering. */
export type Health = 'ok' | 'unavailable' | 'draining';

/** Tells whether this process can serve: the database answers, invalidations arrive, nobody told it to stop. */
export async function checkHealth(): Promise<Health> {
  const current = state();
  if (current.draining) return 'draining';
  if (!isFresh()) return 'unavailable';
  // Anybody may ask: however many do at once, the database is asked once.
  current.asking ??= databaseAnswers().finally(() => {
    current.asking = null;
  });
  const answers = await current.asking;
  if (current.draining) return 'draining';
  return answers && isFresh() ? 'ok' : 'unavailable';
}

async function databaseAnswers(): Promise<boolean> {
  try {
    await within(performance.now() + PATIENCE, pool().query('SELECT 1'));
    return true;
  } catch {
    return false;
  }
}

/** From now on this process asks to be sent nothing new. */
export function beginDraining(): void {
  state().draining = true;
}

/** Tells whether this process was told to stop. */
export function isDraining(): boolean {
  return state().draining;
}
