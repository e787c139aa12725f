import type { DescribeChange } from '@/lib/control-center/exports/audit';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import { actionName, kindName } from './format';
import { INSTANT } from './schedule-text';
import { sentenceOf } from './sentence';
import { objectName } from './targets';
import type { Texts } from './texts';
import { type ChangeLine, linesOf } from './values';

/** Maximum number of characters in a cell of the exported file. Spreadsheets accept at most 32,767 per cell. */
const MAX_CELL = 30_000;

/** Returns a function that describes a change for an exported file, in the same words as the Audit page. */
export function describeChangeIn(texts: Texts): DescribeChange {
  const { t, format } = texts;
  return (line, names, timeZone) => {
    const zone = storedZone(timeZone);
    // Local times are formatted as if they were UTC, because the formatter must not convert them.
    const instantText = (value: string) =>
      format.dateTime(INSTANT, 'UTC').format(new Date(`${localTimestamp(zone, new Date(value)).slice(0, 19)}Z`));
    const actor = actorText(texts, line);
    const changes = linesOf(texts, line, names, instantText)
      .map((one) => lineText(texts, one))
      .join('; ');
    return {
      sentence: t('export.sentence', { actor, change: sentenceOf(texts, line) }),
      actor,
      action: actionName(t, line.action),
      objectType: kindName(t, line.object_kind),
      object: objectName(texts, line, names) ?? line.object_id,
      changes: changes.length > MAX_CELL ? `${changes.slice(0, MAX_CELL)}…` : changes,
    };
  };
}

function actorText({ t }: Texts, { actor_kind, actor_name, actor_id }: Parameters<DescribeChange>[0]): string {
  if (actor_kind === 'system' || actor_kind === 'operator') return t(`actors.${actor_kind}`);
  return actor_name ?? actor_id ?? '';
}

function lineText({ t }: Texts, line: ChangeLine): string {
  if ('verb' in line) return t(`export.${line.verb}`, { label: line.label, text: line.text });
  const { label, before, after } = line;
  return before === null ? t('export.value', { label, after }) : t('export.values', { label, before, after });
}
