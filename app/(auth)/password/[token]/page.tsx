import { Anchor, Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { Frame } from '@/app/(auth)/_components/frame';
import { addressOfLink } from '@/lib/access/owners/password-link';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { NewPasswordForm } from './_components/new-password-form';

export const metadata: Metadata = { title: 'New password' };

type Props = { params: Promise<{ token: string }> };

/** The page that a mailed link opens. Opening it changes nothing, because mail programs open links to check them. */
export default async function NewPasswordPage({ params }: Props) {
  const { token } = await params;
  const email = await addressOf(token);
  return (
    <Frame title="Set a new password">
      {email === 'too many' ? (
        <Text size="sm">Too many attempts. Reload this page in a minute.</Text>
      ) : email === null ? (
        <Stack gap="sm">
          <Text size="sm">This link does not work. It may have expired, or it may have been used.</Text>
          <Anchor href="/password" size="sm">
            Get a new link
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
