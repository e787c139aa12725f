'use client';

import { useTranslations } from 'use-intl';
import { BlockSection } from '../../../_components/blocks/block-section';
import { CatalogFrame } from '../../_components/catalog-frame';

/** The blocks of the whole business. Those of a specialist or a location are on their pages. */
export function BlocksView({ canEdit }: { canEdit: boolean }) {
  const t = useTranslations('catalog');
  return (
    <CatalogFrame title={t('pages.blocks')} lead={t('blocks.lead')}>
      <BlockSection
        subject={{ specialist_id: null, location_id: null }}
        label={t('blocks.label')}
        title={t('blocks.title')}
        canEdit={canEdit}
      />
    </CatalogFrame>
  );
}
