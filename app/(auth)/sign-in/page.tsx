import { Anchor, Text } from '@mantine/core';
import { redirect } from 'next/navigation';
import { Hint } from '@/app/_components/hint';
import type { Translator } from '@/app/_components/language';
import { translator } from '@/app/_components/messages';
import { awaitsSecondStep, currentPerson } from '@/app/_session';
import { Frame } from '@/app/(auth)/_components/frame';
import { isMailOn } from '@/lib/activity/mail/queue';
import { awaitsSetup } from '@/lib/operations/setup';
import { env, oidcSettings } from '@/lib/platform/env';
import { ProviderButton } from './_components/provider-button';
import { SignInCard } from './_components/sign-in-card';

type Props = { searchParams: Promise<{ next?: string | string[]; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const { next: target, error } = await searchParams;
  const next = localPath(target);
  const provider = oidcSettings();
  if (await currentPerson()) redirect(next);
  const [secondStep, t] = await Promise.all([awaitsSecondStep(), translator('signIn.page')]);
  return (
    <Frame title={t('title')}>
      {(await awaitsSetup(new Date())) ? (
        <Text size="sm">{t('noOwner')}</Text>
      ) : (
        <>
          {provider && !secondStep && (
            <ProviderButton name={provider.name} next={next} error={providerError(error, t)} />
          )}
          <SignInCard next={next} secondStep={secondStep} />
          {!secondStep && <Forgotten t={t} />}
          {!secondStep && <OtherEnvironment />}
          {!secondStep && (
            <Hint>{t.rich('partners', { link: (chunks) => <Anchor href="/docs">{chunks}</Anchor> })}</Hint>
          )}
        </>
      )}
    </Frame>
  );
}

/** The link to the other environment, whose tab may look the same. */
async function OtherEnvironment() {
  const { ENVIRONMENT, OTHER_ENVIRONMENT_URL: url } = env();
  if (!url) return null;
  const t = await translator('shell');
  return (
    <Anchor href={url} size="sm">
      {t('openEnvironment', { environment: ENVIRONMENT === 'TEST' ? 'LIVE' : 'TEST' })}
    </Anchor>
  );
}

function Forgotten({ t }: { t: Translator<'signIn.page'> }) {
  if (isMailOn())
    return (
      <Anchor href="/password" size="sm">
        {t('forgotten')}
      </Anchor>
    );
  return <Hint>{t('forgottenOffline')}</Hint>;
}

/** The value of the URL parameter `error` is never shown, because anyone can create a link with any value. */
function providerError(error: string | string[] | undefined, t: Translator<'signIn.page'>): string | null {
  if (error === undefined) return null;
  if (error === 'AccessDenied') return t('notMember');
  return error === 'OtherIdentity' ? t('otherIdentity') : t('providerFailed');
}

/** Anyone can create a link with any `next`, and such a link must not lead to another site after the sign-in. */
function localPath(next: string | string[] | undefined): string {
  return typeof next === 'string' &&
    /^\/(?:[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x7e]*)?$/.test(next) &&
    !next.startsWith('/sign-in')
    ? next
    : '/';
}
