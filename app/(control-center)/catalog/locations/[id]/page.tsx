import { currentMember } from '@/app/_session';
import { PrefetchRecord } from '../../_components/prefetch-record';
import { RecordPage } from '../../_components/record-pages';

export { RECORD_METADATA as metadata } from '../../../_components/record-metadata';

type Props = { params: Promise<{ id: string }> };

export default async function Page({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return (
    <PrefetchRecord kind="location" id={id}>
      <RecordPage kind="location" id={id} canEdit={member?.role === 'OWNER'} />
    </PrefetchRecord>
  );
}
