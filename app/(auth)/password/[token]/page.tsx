import { Anchor, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import { pageTitle, translator } from '@/app/_components/messages';
import { Frame } from '@/app/(auth)/_components/frame';
import { addressOfLink } from '@/lib/access/owners/password-link';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { NewPasswordForm } from './_components/new-password-form';

export const generateMetadata = pageTitle('signIn', 'newPassword.tab');

type Props = { params: Promise<{ token: string }> };

/** The page that a mailed link opens. Opening it changes nothing, because mail programs open links to check them. */
export default async function NewPasswordPage({ params }: Props) {
  const { token } = await params;
  const [email, t] = await Promise.all([addressOf(token), translator('signIn')]);
  return (
    <Frame title={t('newPassword.title')}>
      {email === 'too many' ? (
        <Text size="sm">{t('frame.tooMany')}</Text>
      ) : email === null ? (
        <Stack gap="sm">
          <Text size="sm">{t('frame.usedLink')}</Text>
          <Anchor href="/password" size="sm">
            {t('newPassword.newLink')}
          </Anchor>
        </Stack>
      ) : (
        <NewPasswordForm token={token} email={email} />
      )}
    </Frame>
  );
}

async function addressOf(token: string): Promise<string | null | 'too many'> {
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  try {
    await throttleAddress(address);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return 'too many';
    throw error;
  }
  return addressOfLink(systemClock(), token);
}
