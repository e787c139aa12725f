'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { FindForm } from '../../_components/search/find-form';
import { readPasted } from '../../_components/search/pasted';
import { type RequestsQuery, requestHref } from './query';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

/**
 * Searches the requests by request ID or reference. When the user pastes a request ID, the page of this request opens
 * immediately.
 */
export function SearchBox({ query, go }: Props) {
  const t = useTranslations('requests.search');
  const refusalText = useTranslations('common.search');
  const router = useRouter();
  const hrefOf = useTenantHref();
  const find = (text: string) => {
    const pasted = readPasted(text);
    if (pasted.kind === 'request') router.push(hrefOf(requestHref(pasted.id)));
    // A search by reference covers all stored requests, which are at most 30 days old.
    if (pasted.kind === 'reference') go({ reference: pasted.reference, period: '30d' });
    if (pasted.kind === 'nothing' && query.reference !== null) go({ reference: null });
    return pasted.kind === 'refused' ? refusalText(pasted.refusal) : null;
  };
  return (
    <FindForm
      label={t('label')}
      value={query.reference ?? ''}
      find={find}
      findsPasted={(text) => readPasted(text).kind === 'request'}
    />
  );
}
