import { createHref } from '../../../_components/url-href';
import { parseAsDate, parseAsPattern, parseAsText } from '../../../_components/url-parsers';

/** The parameters of the page. `at` is a past moment, and `time` and `specialist` what was requested then. */
export const PARSERS = {
  service: parseAsText(),
  location: parseAsText(),
  date: parseAsDate,
  at: parseAsPattern(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/),
  time: parseAsPattern(/^([01]\d|2[0-3]):[0-5]\d$/),
  specialist: parseAsText(),
};

const hrefOf = createHref(PARSERS);

type Refused = {
  service: string;
  location: string;
  date: string;
  at: string;
  time: string | null;
  specialist: string | null;
};

/** Returns the URL of the preview of a day as of a past moment. */
export function previewHref(query: Refused): string {
  return hrefOf('/catalog/preview', query);
}
