/**
 * Returns the SQL that opens every write of a tenant's bookings, the owner's included. A sandbox reset takes this lock
 * exclusively, so no write ever sees half of a reset.
 */
export function tenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock_shared(${lockKey(tenantId)})`;
}

/** Returns the advisory lock of a record: the last 50 random bits of its id as an integer. */
export function lockKey(id: string): number {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  let key = 0;
  for (const character of id.slice(-10)) key = key * 32 + Math.max(0, digits.indexOf(character));
  return key;
}
