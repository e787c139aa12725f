import { Anchor, Text } from '@mantine/core';
import { redirect } from 'next/navigation';
import { awaitsSecondStep, currentPerson } from '@/app/_session';
import { Frame } from '@/app/(auth)/_components/frame';
import { isMailOn } from '@/lib/activity/mail/queue';
import { awaitsSetup } from '@/lib/operations/setup';
import { systemClock } from '@/lib/platform/clock';
import { oidcSettings } from '@/lib/platform/env';
import { ProviderButton } from './_components/provider-button';
import { SignInCard } from './_components/sign-in-card';

type Props = { searchParams: Promise<{ next?: string | string[]; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const { next: target, error } = await searchParams;
  const next = localPath(target);
  const provider = oidcSettings();
  if (await currentPerson()) redirect(next);
  const secondStep = await awaitsSecondStep();
  return (
    <Frame title="Control Center">
      {(await awaitsSetup(systemClock())) ? (
        <Text size="sm">
          This deployment has no owner yet. To set up the deployment, open the setup link. When the server starts, it
          prints this link to its terminal. If the server has no terminal, it writes the link to the file setup-link in
          its data directory. The link works for one hour. To get a new link, restart the server.
        </Text>
      ) : (
        <>
          {!secondStep && (
            <Text c="dimmed" size="sm">
              Sign in to your Control Center.
            </Text>
          )}
          {provider && !secondStep && <ProviderButton name={provider.name} next={next} error={providerError(error)} />}
          <SignInCard next={next} secondStep={secondStep} />
          {!secondStep && <Forgotten />}
          {!secondStep && (
            <Text c="dimmed" size="sm">
              For partners: <Anchor href="/docs">documentation of the API</Anchor>
            </Text>
          )}
        </>
      )}
    </Frame>
  );
}

/** What to do without the password. */
function Forgotten() {
  if (isMailOn())
    return (
      <Anchor href="/password" size="sm">
        Forgot your password?
      </Anchor>
    );
  return (
    <Text c="dimmed" size="sm">
      Forgot your password? Ask the operator, who can issue a new one with npm run password. This deployment sends no
      email.
    </Text>
  );
}

/**
 * Returns the error message for a failed sign-in with the OpenID provider, or null if `error` is not set. The value of
 * the URL parameter `error` is never shown, because anyone can create a link with any value.
 */
function providerError(error: string | string[] | undefined): string | null {
  if (error === undefined) return null;
  if (error === 'AccessDenied')
    return 'No member of this Control Center has the email address that your sign-in provider verified. Ask an owner to invite you.';
  if (error === 'OtherIdentity')
    return 'The account with this email address belongs to another user of your sign-in provider. Ask the operator of this Control Center.';
  return 'Sign-in with your provider failed. Try again in a moment.';
}

/**
 * Returns `next` if it is a local path other than the sign-in page, otherwise `/`. Anyone can create a link with any
 * `next`, and such a link must not lead to another site after the sign-in.
 */
function localPath(next: string | string[] | undefined): string {
  return typeof next === 'string' &&
    /^\/(?:[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x7e]*)?$/.test(next) &&
    !next.startsWith('/sign-in')
    ? next
    : '/';
}
