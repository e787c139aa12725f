import { useTranslations } from 'use-intl';
import { StateBadge } from '../../../applications/_components/state-badge';
import type { KindName } from '../types';

type Props = { kind: KindName; published: boolean };

/** A record's published state. In some languages, the text depends on the gender of the kind. */
export function Published({ kind, published }: Props) {
  const t = useTranslations('catalog.kinds');
  return (
    <StateBadge tone={published ? 'good' : 'neutral'}>
      {t(`${kind}.${published ? 'isPublished' : 'isUnpublished'}`)}
    </StateBadge>
  );
}
