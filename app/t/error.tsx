'use client';

import { useTranslations } from 'use-intl';

/**
 * Replaces the Control Center if its frame cannot be loaded, such as without a database. Every other page also loads the
 * script of this page. To keep this script small, the page uses no Mantine components.
 */
export default function BrokenFramePage() {
  const t = useTranslations('common.broken');
  return (
    <main style={{ maxWidth: 552, margin: 'auto', padding: '2rem 1rem' }}>
      <title>{`${t('title')} · Control Center`}</title>
      <h1>{t('title')}</h1>
      <p>{t('text')}</p>
      <button type="button" onClick={() => window.location.reload()}>
        {t('retry')}
      </button>
    </main>
  );
}
