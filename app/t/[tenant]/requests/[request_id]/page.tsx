import { env } from '@/lib/platform/env';
import { Id } from '../../_components/id';
import { Prefetch } from '../../_components/prefetch';
import { PageHeader } from '../../_components/shell/page-header';
import { RequestView } from './_components/request-view';

export { RECORD_METADATA as metadata } from '../../_components/shell/record-metadata';

type Props = { params: Promise<{ request_id: string }> };

export default async function RequestPage({ params }: Props) {
  const requestId = decoded((await params).request_id);
  return (
    <Prefetch
      load={({ trpc, queries }) => [queries.prefetchQuery(trpc.requests.get.queryOptions({ request_id: requestId }))]}
    >
      <PageHeader
        title="Request"
        tab={requestId}
        lead={<Id value={requestId} what="request ID" />}
        trail={[{ href: '/requests', label: 'Requests' }]}
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
