import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { WebhookSection } from './_components/webhook-section';

export const metadata: Metadata = { title: 'Webhook' };

type Props = { params: Promise<{ id: string }> };

export default async function WebhookPage({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <WebhookSection applicationId={id} canEdit={member?.role === 'OWNER'} />;
}
