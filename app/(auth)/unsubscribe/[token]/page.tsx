import { Anchor, Text } from '@mantine/core';
import { pageTitle, translator } from '@/app/_components/messages';
import { Frame } from '@/app/(auth)/_components/frame';
import { refusalOf } from '@/lib/activity/mail/unsubscribe';
import { RefuseButton } from './_components/refuse-button';

export const generateMetadata = pageTitle('signIn', 'mails.title');

type Props = { params: Promise<{ token: string }> };

/** Asks whether a person wants no more mails of a kind. */
export default async function UnsubscribePage({ params }: Props) {
  const { token } = await params;
  const refusal = refusalOf(decodeURIComponent(token));
  const [t, notices] = await Promise.all([translator('signIn'), translator('account.notices')]);
  return (
    <Frame title={t('mails.title')}>
      {refusal ? (
        <RefuseButton token={token} label={notices(`${refusal.kind}.label`)} />
      ) : (
        <Text size="sm">{t('mails.ended')}</Text>
      )}
      <Anchor href="/" size="sm">
        {t('frame.open')}
      </Anchor>
    </Frame>
  );
}
