import { Messages, translator } from '@/app/_components/messages';
import { NothingHerePage } from './[tenant]/_components/shell/late-pages';

/**
 * The page for a tenant that does not exist, or to which the person does not belong. It has no navigation. Every other
 * page also loads the script of this page. To keep this script small, the page uses no Mantine components.
 */
export default async function UnknownTenantPage() {
  const t = await translator('shell.notFound');
  return (
    <main style={{ maxWidth: 552, margin: 'auto', padding: '2rem 1rem' }}>
      <title>{`${t('title')} · Control Center`}</title>
      <Messages of={['shell']}>
        <NothingHerePage />
      </Messages>
    </main>
  );
}
