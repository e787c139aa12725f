import { useTranslations } from 'use-intl';
import { StateBadge } from '../../applications/_components/state-badge';

/** A record's published state. */
export function Published({ published }: { published: boolean }) {
  const t = useTranslations('catalog.list');
  return <StateBadge tone={published ? 'good' : 'neutral'}>{t(published ? 'published' : 'unpublished')}</StateBadge>;
}
