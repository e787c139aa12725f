import { Anchor, Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { Frame } from '@/app/(auth)/_components/frame';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { awaitsSetup, setupLinkWorks } from '@/lib/operations/setup';
import { systemClock } from '@/lib/platform/clock';
import { zoneChoices } from '@/lib/platform/time-zones';
import { SetupForm } from './_components/setup-form';

export const metadata: Metadata = { title: 'Set up' };

type Props = { params: Promise<{ token: string }> };

/** The page that the setup link opens. An empty LIVE deployment prints this link at startup. */
export default async function SetupPage({ params }: Props) {
  const { token } = await params;
  const works = await look(token);
  return (
    <Frame title="Set up">
      {works === 'too many' && <Text size="sm">Too many attempts. Reload this page in a minute.</Text>}
      {works === false && <Ended waiting={await awaitsSetup(systemClock())} />}
      {works === true && <SetupForm token={token} zones={zoneChoices(systemClock())} />}
    </Frame>
  );
}

async function look(token: string): Promise<boolean | 'too many'> {
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  try {
    return await setupLinkWorks(token, address, systemClock());
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return 'too many';
    throw error;
  }
}

function Ended({ waiting }: { waiting: boolean }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        {waiting
          ? 'This link does not work. A setup link works for one hour, or until the server restarts. To get a new link, restart the server.'
          : 'This link no longer works: this Control Center already has an owner.'}
      </Text>
      {!waiting && (
        <Anchor href="/sign-in" size="sm">
          Sign in
        </Anchor>
      )}
    </Stack>
  );
}
