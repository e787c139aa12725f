import type { AccountChange, MailTexts } from '../facts';

const CHANGES: Record<AccountChange, string> = {
  'user.password_changed': 'Votre mot de passe a été modifié.',
  'user.email_changed': 'L’adresse e-mail de votre compte a été modifiée.',
  'user.password_issued': 'L’opérateur vous a attribué un nouveau mot de passe.',
  'member.second_factor_reset': 'Quelqu’un d’autre a supprimé votre second facteur.',
  'user.second_factor_added': 'Un second facteur a été ajouté.',
  'user.second_factor_removed': 'Un second facteur a été supprimé.',
  'user.recovery_codes_issued': 'De nouveaux codes de secours ont été créés. Les anciens ne fonctionnent plus.',
};

const NOT_YOU =
  'Si ce n’était pas vous, connectez-vous, changez votre mot de passe et fermez vos autres sessions sous « Votre compte ». Si vous ne pouvez pas vous connecter, prévenez un propriétaire de l’entreprise.';

const NOT_YOUR_CHANGE =
  'Cette adresse n’ouvre plus le compte. Si ce n’était pas vous, prévenez tout de suite un propriétaire de l’entreprise, qui peut déconnecter et retirer le compte, ou l’opérateur.';

const WITHOUT_OFFERING = {
  specialist: 'mais sans prestation publiée dans un établissement publié',
  service: 'mais aucun spécialiste publié ne la propose dans un établissement publié',
  location: 'mais aucun spécialiste publié n’y propose de prestation publiée',
} as const;

const OPEN = {
  service: 'Ouvrir la prestation',
  location: 'Ouvrir l’établissement',
  specialist: 'Ouvrir le spécialiste',
} as const;

const bookings = (count: number) => (count < 2 ? `${count} réservation` : `${count} réservations`);

export const FR: MailTexts = {
  invitation: ({ business, inviter, url, endsAt }) => ({
    subject: `Invitation : ${business}`,
    lines: [
      `${inviter} vous invite au Control Center de ${business}.`,
      `Le lien fonctionne une fois, jusqu’au ${utc(endsAt)}. Il prouve que cette adresse est la vôtre : ne le transmettez pas. Si vous ne connaissez pas l’entreprise, ignorez cet e-mail.`,
    ],
    link: { text: 'Ouvrir l’invitation', url },
  }),
  password_link: ({ url }) => ({
    subject: 'Définir un nouveau mot de passe',
    lines: [
      'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour le compte de cette adresse.',
      'Le lien fonctionne une fois, pendant 30 minutes. Votre mot de passe reste le même tant que vous n’en définissez pas un autre. Si vous n’avez rien demandé, ignorez cet e-mail.',
    ],
    link: { text: 'Définir un nouveau mot de passe', url },
  }),
  address_link: ({ url }) => ({
    subject: 'Confirmer votre nouvelle adresse e-mail',
    lines: [
      'Quelqu’un, sans doute vous, souhaite utiliser cette adresse pour un compte du Control Center.',
      'Le lien fonctionne une fois, pendant 30 minutes, avec le mot de passe du compte. D’ici là, rien ne change. Si vous n’avez rien demandé, ignorez cet e-mail.',
    ],
    link: { text: 'Confirmer l’adresse', url },
  }),
  new_sign_in: ({ network, browser, at }) => ({
    subject: 'Connexion depuis un nouveau réseau',
    lines: [
      `Votre compte a été utilisé depuis un réseau dont vous ne vous étiez pas encore servi : ${network}, ${browser ?? 'navigateur inconnu'}, ${utc(at)}.`,
      NOT_YOU,
    ],
    link: null,
  }),
  account_changed: ({ change, at }) => ({
    subject: 'Votre compte a été modifié',
    lines: [`${CHANGES[change]} (${utc(at)})`, change === 'user.email_changed' ? NOT_YOUR_CHANGE : NOT_YOU],
    link: null,
  }),
  test: ({ origin }) => ({
    subject: 'Test du serveur de messagerie',
    lines: [`Vous avez demandé cet e-mail à ${origin}. Les e-mails destinés aux membres de votre entreprise arrivent.`],
    link: null,
  }),
  endpoint_failing: ({ business, application, url }) => ({
    subject: `Le point de terminaison de ${application} est en échec`,
    lines: [
      `Depuis le dernier succès, les premières tentatives de cinq livraisons au point de terminaison de ${application} ont échoué. Chaque livraison est retentée pendant environ trois jours.`,
      `Prévenez le partenaire. Vous ne recevrez plus d’e-mail à ce sujet avant qu’une tentative ait réussi. Entreprise : ${business}.`,
    ],
    link: { text: 'Ouvrir les livraisons', url },
  }),
  endpoint_disabled: ({ business, application, reason, url }) => ({
    subject: `Le point de terminaison de ${application} est désactivé`,
    lines: [
      reason === 'gone'
        ? `Le point de terminaison de ${application} a été désactivé, car il a répondu qu’il n’existe plus (410).`
        : `Le point de terminaison de ${application} a été désactivé, car aucune livraison n’a réussi pendant cinq jours.`,
      `Ses livraisons sont retenues pendant 30 jours. Réactivez-le quand le partenaire l’aura réparé. Entreprise : ${business}.`,
    ],
    link: { text: 'Ouvrir le point de terminaison', url },
  }),
  key_expiry: ({ business, application, key, endsAt, days, url }) => ({
    subject:
      days > 0
        ? `Une clé de ${application} expire dans ${days} ${days < 2 ? 'jour' : 'jours'}`
        : `Une clé de ${application} a expiré`,
    lines: [
      days > 0
        ? `La clé ${key} de ${application} expire le ${utc(endsAt)}. Les requêtes avec cette clé recevront alors 401.`
        : `La clé ${key} de ${application} a expiré le ${utc(endsAt)}. Les requêtes avec cette clé reçoivent 401.`,
      `Remplacez la clé et transmettez la nouvelle au partenaire. Entreprise : ${business}.`,
    ],
    link: { text: 'Ouvrir les clés', url },
  }),
  application_errors: ({ business, application, requests, errors, url }) => ({
    subject: `Beaucoup de requêtes de ${application} échouent`,
    lines: [
      `${errors} des ${requests} dernières requêtes de ${application} en 24 heures ont échoué. Entreprise : ${business}.`,
    ],
    link: { text: 'Ouvrir les requêtes', url },
  }),
  not_bookable: ({ business, kind, name, reason, url }) => ({
    subject: `Impossible de réserver : ${name}`,
    lines: [
      reason === 'no_hours'
        ? `${name} est en ligne, mais n’a pas d’horaires.`
        : `${name} est en ligne, ${WITHOUT_OFFERING[kind]}.`,
      `Les partenaires ne voient aucun créneau libre. Entreprise : ${business}.`,
    ],
    link: { text: OPEN[kind], url },
  }),
  moved_bookings: ({ business, count, rules, url }) => ({
    subject: `Fuseaux horaires : ${bookings(count)} à une autre heure UTC`,
    lines: [
      `Les règles de fuseaux horaires ${rules} ont déplacé ${bookings(count)} de ${business}. Chaque réservation garde la date et l’heure locales annoncées au client. Les partenaires reçoivent un événement pour chacune.`,
    ],
    link: { text: 'Ouvrir les modifications', url },
  }),
  calendar_unreadable: ({ business, calendar, whose, hours, blocks, url }) => ({
    subject: `Le calendrier ${calendar} de ${whose} est illisible`,
    lines: [
      `Le calendrier ${calendar} de ${whose} n’a pas pu être lu pendant ${hours} heures. Ses nouveaux rendez-vous ne sont pas connus, et les partenaires peuvent réserver leur temps.`,
      blocks
        ? `Vous avez choisi que tout le temps compte comme occupé tant qu’un calendrier ne peut pas être lu pendant 24 heures. Entreprise : ${business}.`
        : `Les derniers temps lus restent valables. Entreprise : ${business}.`,
    ],
    link: { text: `Ouvrir ${whose}`, url },
  }),
  overlaps: ({ business, count, url }) => ({
    subject: count < 2 ? `${count} rendez-vous en chevauche un autre` : `${count} rendez-vous en chevauchent un autre`,
    lines: [
      `De nouvelles règles de fuseaux horaires ont déplacé des réservations de ${business}. ${count} rendez-vous ${count < 2 ? 'en chevauche' : 'en chevauchent'} un autre du même spécialiste. Rien n’a été annulé : déplacez-en un de chaque paire.`,
    ],
    link: { text: 'Ouvrir les points à traiter', url },
  }),
  backup_overdue: ({ lastAt, url }) => ({
    subject: 'La sauvegarde est en retard',
    lines: [
      `La dernière sauvegarde enregistrée a commencé le ${utc(lastAt)}, il y a plus de 26 heures.`,
      'Vérifiez la tâche qui lance npm run backup, ou demandez à l’opérateur. Vous ne recevrez plus d’e-mail à ce sujet avant qu’une sauvegarde plus récente soit en retard.',
    ],
    link: { text: 'Ouvrir l’environnement', url },
  }),
  daily_summary: ({ business, day, created, requests, failed, url }) => ({
    subject: `${business} : ${day}`,
    lines: [`Nouvelles réservations : ${created}.`, `Requêtes des partenaires : ${requests}, dont ${failed} en échec.`],
    link: { text: 'Ouvrir le Control Center', url },
  }),
};

/** Returns a time such as `22/11/2026, 14:30 UTC`. */
function utc(at: Date): string {
  const [year, month, day] = at.toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}, ${at.toISOString().slice(11, 16)} UTC`;
}
