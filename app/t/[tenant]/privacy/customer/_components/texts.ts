import type { Translator } from '@/app/_components/language';
import type { Erasure } from './types';

type Translate = Translator<'privacy'>;

/** The kinds of data that an erasure removes. It tells partners of events, and removes none. */
const REMOVED = [
  'contacts',
  'emails',
  'languages',
  'notes',
  'metadata',
  'phone_hashes',
  'name_hashes',
  'stored_responses',
  'webhook_answers',
] as const satisfies readonly Exclude<keyof Erasure['counts'], 'events'>[];

/** Returns what an erasure has removed, one text per kind of data. Kinds that were not stored are left out. */
export function removedTexts(t: Translate, counts: Erasure['counts']): string[] {
  return REMOVED.filter((kind) => counts[kind] > 0).map((kind) => t(`removed.${kind}`, { count: counts[kind] }));
}

/** Returns what the dialog says that an erasure removes. */
export function toRemove(t: Translate): string[] {
  return (['contact', 'notes', 'hashes', 'responses', 'answers'] as const).map((name) => t(`toRemove.${name}`));
}

/** Returns what stays, and why. */
export function keptTexts(t: Translate): string[] {
  return (['appointment', 'reference', 'consent', 'logs'] as const).map((name) => t(`kept.${name}`));
}

/** Returns where copies can be that this deployment cannot reach. */
export function elsewhereTexts(t: Translate): string[] {
  return (['feeds', 'reasons', 'backups', 'partner'] as const).map((name) => t(`elsewhere.${name}`));
}

/** Returns how a partner was told of the erasure. */
export function toldText(
  t: Translate,
  { application, bookings, webhooks, delivered }: Erasure['told'][number],
): string {
  if (webhooks === 0) return t('erasures.told', { application, events: bookings });
  return t('erasures.toldByWebhook', { application, events: bookings, delivered, webhooks });
}
