import { Anchor, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { Frame } from '@/app/(auth)/_components/frame';
import { isMailOn } from '@/lib/activity/mail/queue';
import { RequestForm } from './_components/request-form';

export const metadata: Metadata = { title: 'Forgot your password' };

/** Asks for the address to which a link for a new password is mailed. */
export default function ForgottenPasswordPage() {
  return (
    <Frame title="Forgot your password?">
      {isMailOn() ? (
        <RequestForm />
      ) : (
        <Text size="sm">
          This deployment sends no email. Ask the operator, who can issue a new password with npm run password.
        </Text>
      )}
      <Anchor href="/sign-in" size="sm">
        Back to the sign-in
      </Anchor>
    </Frame>
  );
}
