'use client';

import { BlockSection } from '../../../_components/blocks/block-section';
import { CatalogFrame } from '../../_components/catalog-frame';

/** The blocks of the whole business. Those of a specialist or a location are on their pages. */
export function BlocksView({ canEdit }: { canEdit: boolean }) {
  return (
    <CatalogFrame
      title="Blocked time"
      lead="Time in which nobody can book anything in the whole business. Block the time of a single specialist or location on its page or in the day schedule."
    >
      <BlockSection
        subject={{ specialist_id: null, location_id: null }}
        label="The whole business"
        title="Whole business"
        canEdit={canEdit}
      />
    </CatalogFrame>
  );
}
