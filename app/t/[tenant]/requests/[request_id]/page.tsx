import { translator } from '@/app/_components/messages';
import { env } from '@/lib/platform/env';
import { Id } from '../../_components/id';
import { Prefetch } from '../../_components/prefetch';
import { PageHeader } from '../../_components/shell/page-header';
import { RequestView } from './_components/request-view';

export { RECORD_METADATA as metadata } from '../../_components/shell/record-metadata';

type Props = { params: Promise<{ request_id: string }> };

export default async function RequestPage({ params }: Props) {
  const [t, { request_id }] = await Promise.all([translator('requests.page'), params]);
  const requestId = decoded(request_id);
  return (
    <Prefetch
      load={({ trpc, queries }) => [queries.prefetchQuery(trpc.requests.get.queryOptions({ request_id: requestId }))]}
    >
      <PageHeader
        title={t('record')}
        tab={requestId}
        lead={<Id value={requestId} what={t('requestId')} />}
        trail={[{ href: '/requests', label: t('title') }]}
      />
      <RequestView requestId={requestId} origin={env().origin} />
    </Prefetch>
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).slice(0, 200);
  } catch {
    return segment.slice(0, 200);
  }
}
