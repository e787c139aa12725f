import { Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { PageHeader } from '../_components/page-header';
import { PasswordForm } from './_components/password-form';
import { SecondFactorSection } from './_components/second-factor/second-factor-section';

export const metadata: Metadata = { title: 'Your account' };

export default function AccountPage() {
  return (
    <>
      <PageHeader title="Your account" lead="Your password and your second factor." />
      <Stack gap="md">
        <PasswordForm />
        <SecondFactorSection />
      </Stack>
    </>
  );
}
