import { Text } from '@mantine/core';
import { redirect } from 'next/navigation';
import { currentMember } from '@/app/_session';
import { Frame } from '@/app/(auth)/_components/frame';
import { awaitsSetup } from '@/lib/operations/setup';
import { oidcSettings } from '@/lib/platform/env';
import { ProviderButton } from './_components/provider-button';
import { SignInCard } from './_components/sign-in-card';

type Props = { searchParams: Promise<{ next?: string | string[]; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const { next: wanted, error } = await searchParams;
  const next = ownPath(wanted);
  const provider = oidcSettings();
  if (await currentMember()) redirect(next);
  return (
    <Frame title="Control Center">
      {(await awaitsSetup()) ? (
        <Text size="sm">
          Nobody can sign in yet: this deployment has no owner. Open the link that the server printed when it started.
          It works for an hour; each start prints a new one.
        </Text>
      ) : (
        <>
          <Text c="dimmed" size="sm">
            Sign in to see what your partners do.
          </Text>
          {provider && <ProviderButton name={provider.name} next={next} error={sentenceFor(error)} />}
          <SignInCard next={next} />
        </>
      )}
    </Frame>
  );
}

/** What happened at the provider, in words of ours: the address may hold anything. */
function sentenceFor(error: string | string[] | undefined): string | null {
  if (error === undefined) return null;
  if (error === 'AccessDenied')
    return 'No member of this Control Center has the e-mail address that was confirmed for you there.';
  return 'Signing in there did not work. Try again in a moment.';
}

/** Only a path of our own: a link must not be able to send a person elsewhere after they typed their password. */
function ownPath(next: string | string[] | undefined): string {
  return typeof next === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.startsWith('/sign-in')
    ? next
    : '/';
}
