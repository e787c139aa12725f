import { busyExternalId } from '@/lib/contract/busy';
import { invalidField } from '@/lib/contract/errors/app-error';
import { BASE_PATH } from '@/lib/contract/operations';
import type { Call } from './call';

/** Returns the id of a busy time from the path (contract B15). @throws AppError invalid_request if it is too long. */
export function externalIdOf({ path }: Call): string {
  const parsed = busyExternalId.safeParse(path.slice(`${BASE_PATH}/busy/`.length));
  if (!parsed.success) throw invalidField('external_id', 'must have at most 100 characters');
  return parsed.data;
}
