import { Anchor, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import { pageTitle, translator } from '@/app/_components/messages';
import { Frame } from '@/app/(auth)/_components/frame';
import { newAddressOf } from '@/lib/access/owners/address-change';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { ConfirmForm } from './_components/confirm-form';

export const generateMetadata = pageTitle('signIn', 'address.tab');

type Props = { params: Promise<{ token: string }> };

/** The page that a mailed link opens. Opening it changes nothing, because mail programs open links to check them. */
export default async function NewAddressPage({ params }: Props) {
  const { token } = await params;
  const [email, t] = await Promise.all([addressOf(token), translator('signIn')]);
  return (
    <Frame title={t('address.title')}>
      {email === 'too many' ? (
        <Text size="sm">{t('frame.tooMany')}</Text>
      ) : email === null ? (
        <Stack gap="sm">
          <Text size="sm">{t('frame.usedLink')}</Text>
          <Anchor href="/" size="sm">
            {t('frame.open')}
          </Anchor>
        </Stack>
      ) : (
        <ConfirmForm token={token} email={email} />
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
  return newAddressOf(systemClock(), token);
}
