import { Anchor, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import { pageTitle, translator } from '@/app/_components/messages';
import { Frame } from '@/app/(auth)/_components/frame';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { awaitsSetup, setupLinkWorks } from '@/lib/operations/setup';
import { zoneChoices } from '@/lib/platform/time-zones';
import { SetupForm } from './_components/setup-form';

export const generateMetadata = pageTitle('signIn', 'setup.title');

type Props = { params: Promise<{ token: string }> };

/** The page that the setup link opens. An empty LIVE deployment prints this link at startup. */
export default async function SetupPage({ params }: Props) {
  const { token } = await params;
  const [works, t] = await Promise.all([look(token), translator('signIn')]);
  return (
    <Frame title={t('setup.title')}>
      {works === 'too many' && <Text size="sm">{t('frame.tooMany')}</Text>}
      {works === false && <Ended waiting={await awaitsSetup(new Date())} />}
      {works === true && <SetupForm token={token} zones={zoneChoices(new Date())} />}
    </Frame>
  );
}

async function look(token: string): Promise<boolean | 'too many'> {
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  try {
    return await setupLinkWorks(token, address, new Date());
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return 'too many';
    throw error;
  }
}

async function Ended({ waiting }: { waiting: boolean }) {
  const t = await translator('signIn');
  return (
    <Stack gap="sm">
      <Text size="sm">{waiting ? t('setup.waiting') : t('setup.owned')}</Text>
      {!waiting && (
        <Anchor href="/sign-in" size="sm">
          {t('frame.signIn')}
        </Anchor>
      )}
    </Stack>
  );
}
