import { currentMember } from '@/app/_session';
import { KeySection } from './_components/key-section';

export { RECORD_METADATA as metadata } from '../../../_components/shell/record-metadata';

type Props = { params: Promise<{ id: string }> };

export default async function KeysPage({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <KeySection applicationId={id} canEdit={member?.role === 'OWNER'} />;
}
