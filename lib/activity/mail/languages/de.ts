import type { AccountChange, MailTexts } from '../facts';

const CHANGES: Record<AccountChange, string> = {
  'user.password_changed': 'Ihr Passwort wurde geändert.',
  'user.email_changed': 'Die E-Mail-Adresse Ihres Kontos wurde geändert.',
  'user.password_issued': 'Der Betreiber hat Ihnen ein neues Passwort gegeben.',
  'member.second_factor_reset': 'Jemand anderes hat Ihren zweiten Faktor entfernt.',
  'user.second_factor_added': 'Ein zweiter Faktor wurde hinzugefügt.',
  'user.second_factor_removed': 'Ein zweiter Faktor wurde entfernt.',
  'user.recovery_codes_issued': 'Neue Wiederherstellungscodes wurden erstellt. Die alten gelten nicht mehr.',
};

const NOT_YOU =
  'Waren Sie das nicht, melden Sie sich an, ändern Sie Ihr Passwort und beenden Sie Ihre anderen Sitzungen unter „Ihr Konto“. Können Sie sich nicht anmelden, sagen Sie es einem Inhaber des Unternehmens.';

const NOT_YOUR_CHANGE =
  'Diese Adresse öffnet das Konto nicht mehr. Waren Sie das nicht, sagen Sie es sofort einem Inhaber des Unternehmens, der das Konto abmelden und entfernen kann, oder dem Betreiber.';

const WITHOUT_OFFERING = {
  specialist: 'bietet an keinem veröffentlichten Standort eine veröffentlichte Leistung an',
  service: 'keine veröffentlichte Fachkraft bietet sie an einem veröffentlichten Standort an',
  location: 'keine veröffentlichte Fachkraft bietet dort eine veröffentlichte Leistung an',
} as const;

const OPEN = { service: 'Leistung öffnen', location: 'Standort öffnen', specialist: 'Fachkraft öffnen' } as const;

const bookings = (count: number) => (count === 1 ? '1 Buchung' : `${count} Buchungen`);

export const DE: MailTexts = {
  invitation: ({ business, inviter, url, endsAt }) => ({
    subject: `Einladung zu ${business}`,
    lines: [
      `${inviter} hat Sie in das Control Center von ${business} eingeladen.`,
      `Der Link gilt einmal, bis ${utc(endsAt)}. Er beweist, dass diese Adresse Ihnen gehört; geben Sie ihn nicht weiter. Kennen Sie das Unternehmen nicht, ignorieren Sie diese Mail.`,
    ],
    link: { text: 'Einladung öffnen', url },
  }),
  password_link: ({ url }) => ({
    subject: 'Neues Passwort festlegen',
    lines: [
      'Jemand, vermutlich Sie, hat für das Konto mit dieser Adresse ein neues Passwort angefordert.',
      'Der Link gilt einmal, 30 Minuten lang. Ihr Passwort bleibt, wie es ist, bis Sie ein neues festlegen. Haben Sie nichts angefordert, ignorieren Sie diese Mail.',
    ],
    link: { text: 'Neues Passwort festlegen', url },
  }),
  address_link: ({ url }) => ({
    subject: 'Neue E-Mail-Adresse bestätigen',
    lines: [
      'Jemand, vermutlich Sie, möchte diese Adresse für ein Konto des Control Center verwenden.',
      'Der Link gilt einmal, 30 Minuten lang, mit dem Passwort des Kontos. Bis dahin ändert sich nichts. Haben Sie nichts angefordert, ignorieren Sie diese Mail.',
    ],
    link: { text: 'Adresse bestätigen', url },
  }),
  new_sign_in: ({ network, browser, at }) => ({
    subject: 'Anmeldung aus einem neuen Netzwerk',
    lines: [
      `Ihr Konto wurde aus einem Netzwerk verwendet, das Sie bisher nicht genutzt hatten: ${network}, ${browser ?? 'unbekannter Browser'}, ${utc(at)}.`,
      NOT_YOU,
    ],
    link: null,
  }),
  account_changed: ({ change, at }) => ({
    subject: 'Ihr Konto wurde geändert',
    lines: [`${CHANGES[change]} (${utc(at)})`, change === 'user.email_changed' ? NOT_YOUR_CHANGE : NOT_YOU],
    link: null,
  }),
  test: ({ origin }) => ({
    subject: 'Test des Mailservers',
    lines: [`Sie haben ${origin} um diese Mail gebeten. Mails an die Mitglieder Ihres Unternehmens kommen an.`],
    link: null,
  }),
  endpoint_failing: ({ business, application, url }) => ({
    subject: `Webhook-Endpunkt von ${application} schlägt fehl`,
    lines: [
      `Seit dem letzten Erfolg sind die ersten Versuche von fünf Zustellungen an den Webhook-Endpunkt von ${application} fehlgeschlagen. Jede Zustellung wird etwa drei Tage lang erneut versucht.`,
      `Sagen Sie es dem Partner. Sie bekommen dazu keine weitere Mail, bis ein Versuch gelungen ist. Unternehmen: ${business}.`,
    ],
    link: { text: 'Zustellungen öffnen', url },
  }),
  endpoint_disabled: ({ business, application, reason, url }) => ({
    subject: `Webhook-Endpunkt von ${application} ist deaktiviert`,
    lines: [
      reason === 'gone'
        ? `Der Webhook-Endpunkt von ${application} wurde deaktiviert, weil er antwortete, dass es ihn nicht mehr gibt (410).`
        : `Der Webhook-Endpunkt von ${application} wurde deaktiviert, weil ihm fünf Tage lang nichts zugestellt werden konnte.`,
      `Seine Zustellungen werden 30 Tage zurückgehalten. Aktivieren Sie den Endpunkt, wenn der Partner ihn repariert hat. Unternehmen: ${business}.`,
    ],
    link: { text: 'Endpunkt öffnen', url },
  }),
  key_expiry: ({ business, application, key, endsAt, days, url }) => ({
    subject:
      days > 0
        ? `Ein Schlüssel von ${application} läuft in ${days === 1 ? '1 Tag' : `${days} Tagen`} ab`
        : `Ein Schlüssel von ${application} ist abgelaufen`,
    lines: [
      days > 0
        ? `Der Schlüssel ${key} von ${application} läuft am ${utc(endsAt)} ab. Anfragen mit ihm bekommen dann 401.`
        : `Der Schlüssel ${key} von ${application} ist am ${utc(endsAt)} abgelaufen. Anfragen mit ihm bekommen 401.`,
      `Ersetzen Sie den Schlüssel und geben Sie dem Partner den neuen. Unternehmen: ${business}.`,
    ],
    link: { text: 'Schlüssel öffnen', url },
  }),
  application_errors: ({ business, application, requests, errors, url }) => ({
    subject: `Viele Anfragen von ${application} schlagen fehl`,
    lines: [
      `${errors} der letzten ${requests} Anfragen von ${application} in 24 Stunden sind fehlgeschlagen. Unternehmen: ${business}.`,
    ],
    link: { text: 'Anfragen öffnen', url },
  }),
  not_bookable: ({ business, kind, name, reason, url }) => ({
    subject: `${name} lässt sich nicht buchen`,
    lines: [
      reason === 'no_hours'
        ? `${name} ist veröffentlicht, hat aber keine Arbeitszeiten.`
        : `${name} ist veröffentlicht, aber ${WITHOUT_OFFERING[kind]}.`,
      `Partner sehen keine freien Zeiten. Unternehmen: ${business}.`,
    ],
    link: { text: OPEN[kind], url },
  }),
  moved_bookings: ({ business, count, rules, url }) => ({
    subject: `${bookings(count)} durch neue Zeitzonenregeln verschoben`,
    lines: [
      `Die Zeitzonenregeln ${rules} haben ${bookings(count)} von ${business} verschoben. Jede behält das Datum und die Uhrzeit vor Ort, die dem Kunden genannt wurden. Partner bekommen für jede ein Ereignis.`,
    ],
    link: { text: 'Änderungen öffnen', url },
  }),
  calendar_unreadable: ({ business, calendar, whose, hours, blocks, url }) => ({
    subject: `Kalender ${calendar} von ${whose} lässt sich nicht lesen`,
    lines: [
      `Der Kalender ${calendar} von ${whose} konnte ${hours} Stunden lang nicht gelesen werden. Neue Termine darin sind nicht bekannt, und Partner können ihre Zeit buchen.`,
      blocks
        ? `Sie haben gewählt, dass alle Zeit als belegt gilt, wenn ein Kalender 24 Stunden lang nicht gelesen werden kann. Unternehmen: ${business}.`
        : `Die zuletzt gelesenen Zeiten gelten weiter. Unternehmen: ${business}.`,
    ],
    link: { text: `${whose} öffnen`, url },
  }),
  overlaps: ({ business, count, url }) => ({
    subject: count === 1 ? '1 Termin überschneidet sich' : `${count} Termine überschneiden sich`,
    lines: [
      `Neue Zeitzonenregeln haben Buchungen von ${business} verschoben. ${count === 1 ? '1 Termin überschneidet' : `${count} Termine überschneiden`} sich mit einem anderen derselben Fachkraft. Nichts wurde storniert: Verschieben Sie einen von je zweien.`,
    ],
    link: { text: 'Offene Punkte ansehen', url },
  }),
  backup_overdue: ({ lastAt, url }) => ({
    subject: 'Die Sicherung ist überfällig',
    lines: [
      `Die neueste erfasste Sicherung begann am ${utc(lastAt)}, vor mehr als 26 Stunden.`,
      'Prüfen Sie den Job, der npm run backup ausführt, oder fragen Sie den Betreiber. Sie bekommen dazu keine weitere Mail, bis eine neuere Sicherung überfällig ist.',
    ],
    link: { text: 'Umgebung öffnen', url },
  }),
  daily_summary: ({ business, day, created, requests, failed, url }) => ({
    subject: `${business}: ${day}`,
    lines: [`Neue Buchungen: ${created}.`, `Anfragen von Partnern: ${requests}, davon ${failed} fehlgeschlagen.`],
    link: { text: 'Control Center öffnen', url },
  }),
};

/** Returns a time such as `22.11.2026, 14:30 UTC`. */
function utc(at: Date): string {
  const [year, month, day] = at.toISOString().slice(0, 10).split('-');
  return `${day}.${month}.${year}, ${at.toISOString().slice(11, 16)} UTC`;
}
