import { Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { PageHeader } from '../_components/page-header';
import { PasswordForm } from './_components/password-form';
import { SecondFactorSection } from './_components/second-factor/second-factor-section';
import { SessionSection } from './_components/session-section';

export const metadata: Metadata = { title: 'Your account' };

export default function AccountPage() {
  return (
    <>
      <PageHeader title="Your account" lead="Your password, your second factor, and your sessions." />
      <Stack gap="md">
        <PasswordForm />
        <SecondFactorSection />
        <SessionSection />
      </Stack>
    </>
  );
}
