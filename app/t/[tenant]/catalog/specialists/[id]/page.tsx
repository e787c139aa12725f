import { SpecialistPage } from '../../_components/pages/specialist';
import { recordRoute } from '../../_components/routes';

export { RECORD_METADATA as metadata } from '../../../_components/shell/record-metadata';

export default recordRoute('specialist', SpecialistPage);
