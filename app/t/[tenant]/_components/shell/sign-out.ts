/** Ends the session and opens the sign-in page. */
export async function signOutHere(): Promise<void> {
  const { signOut } = await import('next-auth/react');
  await signOut({ callbackUrl: '/sign-in' });
}
