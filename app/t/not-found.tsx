import { NothingHerePage } from './[tenant]/_components/nothing-here-page';

/**
 * The response for a tenant that does not exist or of which the person is not a member. It has no navigation. Its script
 * is part of every page, so it uses no components of Mantine.
 */
export default function UnknownTenantPage() {
  return (
    <main style={{ maxWidth: 552, margin: 'auto', padding: '2rem 1rem' }}>
      <title>Page not found · Control Center</title>
      <NothingHerePage />
    </main>
  );
}
