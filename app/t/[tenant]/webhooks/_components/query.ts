import { parseAsPage } from '../../_components/url-parsers';

/** The URL parameters of the endpoint list. */
export const PARSERS = { page: parseAsPage(10_000) };
