import { Anchor, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { translator } from '@/app/_components/messages';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';

type Props = {
  token: string;
  /** Returns the address to which the link was mailed, or null if the link no longer works. */
  addressOf: (now: Date, token: string) => Promise<string | null>;
  /** What a person with an old link can do. */
  otherwise: { href: string; label: string };
  children: (email: string) => ReactNode;
};

/** The page that a mailed link opens. Opening it changes nothing, because mail programs open links to check them. */
export async function MailedLink({ token, addressOf, otherwise, children }: Props) {
  const t = await translator('signIn');
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  try {
    await throttleAddress(address);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return <Text size="sm">{t('frame.tooMany')}</Text>;
    throw error;
  }
  const email = await addressOf(new Date(), token);
  if (email !== null) return children(email);
  return (
    <Stack gap="sm">
      <Text size="sm">{t('frame.usedLink')}</Text>
      <Anchor href={otherwise.href} size="sm">
        {otherwise.label}
      </Anchor>
    </Stack>
  );
}
