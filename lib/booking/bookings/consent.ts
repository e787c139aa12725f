import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { isBookingReference } from '@/lib/platform/ids';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';
import { anonymizeResponses } from '../idempotency/anonymize';
import { auditedBooking } from './booking';
import { LOCK_BOOKING_OF_TENANT, SET_CONSENT_WITHDRAWN } from './statements';

type Consent = { tenantId: string; actor: Actor; reference: string; withdrawn: boolean };

/**
 * Records that a customer withdrew consent to be contacted, or that this record was a mistake. Then only the page of
 * the booking shows the contact, and retention removes it after the appointment. The version does not change (B7).
 * @throws AppError not_found if there is no such booking, or if its customer was anonymized.
 */
export async function setConsentWithdrawn(
  now: Date,
  { tenantId, actor, reference, withdrawn }: Consent,
): Promise<void> {
  if (!isBookingReference(reference)) throw notFound();
  await writeTransaction(beginBudget(), tenantId, async (tx) => {
    const [row] = await tx.query(LOCK_BOOKING_OF_TENANT, { reference, tenantId });
    if (!row?.customer_phone) throw notFound();
    if ((row.consent_withdrawn_at !== null) === withdrawn) return;
    await tx.query(SET_CONSENT_WITHDRAWN, { reference, withdrawnAt: withdrawn ? now : null });
    if (withdrawn) await anonymizeResponses(tx, [reference]);
    const action = withdrawn ? 'booking.consent_withdrawn' : 'booking.consent_restored';
    const object = { kind: 'booking', id: reference };
    await recordInWrite(tx, now, { tenantId, actor, action, object, after: auditedBooking(row) });
  });
}
