import { currentMember } from '@/app/_session';
import { ServicePage } from '../../_components/pages/service';
import { PrefetchRecord } from '../../_components/prefetch-record';

export { RECORD_METADATA as metadata } from '../../../_components/shell/record-metadata';

type Props = { params: Promise<{ id: string }> };

export default async function Page({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return (
    <PrefetchRecord kind="service" id={id}>
      <ServicePage id={id} canEdit={member?.role === 'OWNER'} />
    </PrefetchRecord>
  );
}
