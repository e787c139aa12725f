import { Anchor, Text } from '@mantine/core';
import { pageTitle, translator } from '@/app/_components/messages';
import { Frame } from '@/app/(auth)/_components/frame';
import { isMailOn } from '@/lib/activity/mail/queue';
import { RequestForm } from './_components/request-form';

export const generateMetadata = pageTitle('signIn', 'forgotten.tab');

/** Asks for the address to which a link for a new password is mailed. */
export default async function ForgottenPasswordPage() {
  const t = await translator('signIn.forgotten');
  return (
    <Frame title={t('title')}>
      {isMailOn() ? <RequestForm /> : <Text size="sm">{t('offline')}</Text>}
      <Anchor href="/sign-in" size="sm">
        {t('back')}
      </Anchor>
    </Frame>
  );
}
