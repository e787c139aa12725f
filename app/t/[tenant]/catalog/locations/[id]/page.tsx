import { LocationPage } from '../../_components/pages/location';
import { recordRoute } from '../../_components/routes';

export { RECORD_METADATA as metadata } from '../../../_components/shell/record-metadata';

export default recordRoute('location', LocationPage);
