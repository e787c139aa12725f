import { useTranslations } from 'use-intl';

/**
 * Returns a function that ends the session and opens the sign-in page. If it cannot, it says so: the next person at this
 * computer would still be signed in.
 */
export function useSignOut(): () => void {
  const t = useTranslations('common');
  const signOutHere = async () => {
    const { signOut } = await import('next-auth/react');
    await signOut({ callbackUrl: '/sign-in' });
  };
  return () =>
    void signOutHere().catch(async () => {
      const { notifications } = await import('@mantine/notifications');
      notifications.show({ color: 'red', message: t('stillSignedIn') });
    });
}
