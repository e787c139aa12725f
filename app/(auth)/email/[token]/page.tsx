import { Anchor, Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { Frame } from '@/app/(auth)/_components/frame';
import { newAddressOf } from '@/lib/access/owners/address-change';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { ConfirmForm } from './_components/confirm-form';

export const metadata: Metadata = { title: 'New email address' };

type Props = { params: Promise<{ token: string }> };

/** The page that a mailed link opens. Opening it changes nothing, because mail programs open links to check them. */
export default async function NewAddressPage({ params }: Props) {
  const { token } = await params;
  const email = await addressOf(token);
  return (
    <Frame title="Confirm your new address">
      {email === 'too many' ? (
        <Text size="sm">Too many attempts. Reload this page in a minute.</Text>
      ) : email === null ? (
        <Stack gap="sm">
          <Text size="sm">This link does not work. It may have expired, or it may have been used.</Text>
          <Anchor href="/" size="sm">
            Open the Control Center
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
