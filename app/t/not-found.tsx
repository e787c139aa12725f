import { NothingHerePage } from './[tenant]/_components/nothing-here-page';

/**
 * The page for a tenant that does not exist, or to which the person does not belong. It has no navigation. It uses no
 * Mantine components, because every other page also loads the script of this page.
 */
export default function UnknownTenantPage() {
  return (
    <main style={{ maxWidth: 552, margin: 'auto', padding: '2rem 1rem' }}>
      <title>Page not found · Control Center</title>
      <NothingHerePage />
    </main>
  );
}
