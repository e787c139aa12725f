import { currentMember } from '@/app/_session';
import { PolicySection } from './_components/policy-section';

export { RECORD_METADATA as metadata } from '../../_components/shell/record-metadata';

type Props = { params: Promise<{ id: string }> };

export default async function PolicyPage({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <PolicySection id={id} canEdit={member?.role === 'OWNER'} />;
}
