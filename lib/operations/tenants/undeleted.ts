import { invalidField } from '@/lib/contract/errors/app-error';

/** Refuses a tenant whose deletion has begun. @throws AppError invalid_request for `tenant`. */
export function requireUndeleted({ deletionBeganAt }: { deletionBeganAt: Date | null }): void {
  if (deletionBeganAt) throw invalidField('tenant', 'is being deleted: run delete again to finish');
}
