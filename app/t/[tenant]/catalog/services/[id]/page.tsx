import { ServicePage } from '../../_components/pages/service';
import { recordRoute } from '../../_components/routes';

export { RECORD_METADATA as metadata } from '../../../_components/shell/record-metadata';

export default recordRoute('service', ServicePage);
