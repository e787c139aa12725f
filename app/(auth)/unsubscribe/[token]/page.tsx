import { Anchor, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { Frame } from '@/app/(auth)/_components/frame';
import { NOTICES } from '@/lib/activity/mail/kinds';
import { refusalOf } from '@/lib/activity/mail/unsubscribe';
import { RefuseButton } from './_components/refuse-button';

export const metadata: Metadata = { title: 'Mails' };

type Props = { params: Promise<{ token: string }> };

/** Asks whether a person wants no more mails of a kind. */
export default async function UnsubscribePage({ params }: Props) {
  const { token } = await params;
  const refusal = refusalOf(decodeURIComponent(token));
  return (
    <Frame title="Mails">
      {refusal ? (
        <RefuseButton token={token} label={NOTICES[refusal.kind].label} />
      ) : (
        <Text size="sm">This link does not work. Choose your mails under Your account.</Text>
      )}
      <Anchor href="/" size="sm">
        Open the Control Center
      </Anchor>
    </Frame>
  );
}
