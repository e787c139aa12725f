/** The only source of time zone rules, because runtimes differ (decision 29). Instants are in whole epoch minutes. */
export { DAY, dayOf, formatDay, formatTime, parseDay, parseTime, weekdayOf } from './calendar';
export { isOlderRules, ZONE_RULES } from './in-use';
export {
  boundaryInstant,
  type DayClock,
  dayClock,
  dayExists,
  formatInstant,
  formatLocal,
  type LocalInstant,
  localDayBounds,
  localTimestamp,
  localToInstant,
  offsetChanges,
  onlyInstant,
  startInstant,
} from './local-time';
export { canonicalZone, offsetText, storedZone, type Zone, zoneChoices, zoneOf } from './zone';
