import { createSerializer, type inferParserType, type ParserMap } from 'nuqs/server';

/** Sorts the parameters of a URL by name so that the same state always has the same URL. */
export function sortParams(params: URLSearchParams): URLSearchParams {
  params.sort();
  return params;
}

/** Returns a function that builds the URL of a page. The URL omits parameters that have their default value. */
export function createHref<Parsers extends ParserMap>(parsers: Parsers) {
  const serialize = createSerializer(parsers, { processUrlSearchParams: sortParams });
  return (path: string, query: Partial<inferParserType<Parsers>>): string => serialize(path, query);
}
