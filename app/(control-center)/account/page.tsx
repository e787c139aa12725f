import type { Metadata } from 'next';
import { PageHeader } from '../_components/page-header';
import { PasswordForm } from './_components/password-form';

export const metadata: Metadata = { title: 'Your account' };

export default function AccountPage() {
  return (
    <>
      <PageHeader title="Your account" lead="Change your password." />
      <PasswordForm />
    </>
  );
}
