/**
 * Returns the name of an exported file with the date on which it was exported, such as `requests-2026-11-22.csv`.
 * @param timeZone The time zone of the date. Default: the reader's time zone, in which the exported lists show times.
 */
export function exportName(list: string, now: Date, timeZone?: string): string {
  // The Swedish locale formats dates as in ISO 8601.
  return `${list}-${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(now)}.csv`;
}

/** Saves `content` as a file by starting a browser download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
