import type { DescribeChange } from '@/lib/control-center/exports/audit';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import { formatterOf } from '../../_components/time/moments';
import { toWords } from './format';
import { sentenceOf } from './sentence';
import { objectName } from './targets';
import { type ChangeLine, INSTANT, linesOf } from './values';

/** Maximum number of characters in a cell of the exported file. Spreadsheets accept at most 32,767 per cell. */
const MAX_CELL = 30_000;

/** Describes a change for an exported file, in the same words as the Audit page. */
export const describeChange: DescribeChange = (line, names, timeZone) => {
  const actor = line.actor_kind === 'system' ? 'System' : (line.actor_name ?? line.actor_id ?? '');
  const zone = storedZone(timeZone);
  // Local times are formatted as if they were UTC, because the formatter must not convert them.
  const instantText = (value: string) =>
    formatterOf(INSTANT, 'UTC').format(new Date(`${localTimestamp(zone, new Date(value)).slice(0, 19)}Z`));
  const changes = linesOf(line, names, instantText).map(lineText).join('; ');
  return {
    sentence: `${actor} ${sentenceOf(line)}.`,
    actor,
    action: toWords(line.action),
    objectType: toWords(line.object_kind),
    object: objectName(line, names) ?? line.object_id,
    changes: changes.length > MAX_CELL ? `${changes.slice(0, MAX_CELL)}…` : changes,
  };
};

function lineText(line: ChangeLine): string {
  if ('verb' in line) return `${line.label} ${line.verb}: ${line.text}`;
  return line.before === null ? `${line.label}: ${line.after}` : `${line.label}: ${line.before} → ${line.after}`;
}
