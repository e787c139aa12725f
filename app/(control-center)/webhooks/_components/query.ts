import { parseAsPage } from '../../_components/url-parsers';

/** The URL parameters of the list of endpoints. */
export const PARSERS = { page: parseAsPage(10_000) };
