import { currentMember } from '@/app/_session';
import { WebhookSection } from './_components/webhook-section';

export { RECORD_METADATA as metadata } from '../../../_components/shell/record-metadata';

type Props = { params: Promise<{ id: string }> };

export default async function WebhookPage({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <WebhookSection applicationId={id} canEdit={member?.role === 'OWNER'} />;
}
