import type { AccountChange, MailTexts } from '../facts';

const CHANGES: Record<AccountChange, string> = {
  'user.password_changed': 'Se cambió su contraseña.',
  'user.email_changed': 'Se cambió la dirección de correo de su cuenta.',
  'user.password_issued': 'El operador le asignó una contraseña nueva.',
  'member.second_factor_reset': 'Otra persona quitó su segundo factor.',
  'user.second_factor_added': 'Se añadió un segundo factor.',
  'user.second_factor_removed': 'Se quitó un segundo factor.',
  'user.recovery_codes_issued': 'Se crearon códigos de recuperación nuevos. Los anteriores ya no sirven.',
};

const NOT_YOU =
  'Si no fue usted, inicie sesión, cambie su contraseña y cierre sus otras sesiones en «Su cuenta». Si no puede iniciar sesión, avise a un propietario de la empresa.';

const NOT_YOUR_CHANGE =
  'Esta dirección ya no abre la cuenta. Si no fue usted, avise enseguida a un propietario de la empresa, que puede cerrar las sesiones y quitar la cuenta, o al operador.';

const WITHOUT_OFFERING = {
  specialist: 'no ofrece ningún servicio publicado en un centro publicado',
  service: 'ningún especialista publicado lo ofrece en un centro publicado',
  location: 'ningún especialista publicado ofrece allí un servicio publicado',
} as const;

const OPEN = {
  service: 'Abrir el servicio',
  location: 'Abrir el centro',
  specialist: 'Abrir el especialista',
} as const;

const bookings = (count: number) => (count === 1 ? '1 reserva' : `${count} reservas`);

export const ES: MailTexts = {
  invitation: ({ business, inviter, url, endsAt }) => ({
    subject: `Invitación a ${business}`,
    lines: [
      `${inviter} le invita al Control Center de ${business}.`,
      `El enlace sirve una vez, hasta el ${utc(endsAt)}. Demuestra que esta dirección es suya, así que no lo comparta. Si no conoce la empresa, ignore este correo.`,
    ],
    link: { text: 'Abrir la invitación', url },
  }),
  password_link: ({ url }) => ({
    subject: 'Establecer una contraseña nueva',
    lines: [
      'Alguien, probablemente usted, pidió una contraseña nueva para la cuenta de esta dirección.',
      'El enlace sirve una vez, durante 30 minutos. Su contraseña no cambia hasta que establezca una nueva. Si no la pidió, ignore este correo.',
    ],
    link: { text: 'Establecer una contraseña nueva', url },
  }),
  address_link: ({ url }) => ({
    subject: 'Confirmar su nueva dirección de correo',
    lines: [
      'Alguien, probablemente usted, quiere usar esta dirección para una cuenta del Control Center.',
      'El enlace sirve una vez, durante 30 minutos, con la contraseña de la cuenta. Hasta entonces no cambia nada. Si no lo pidió, ignore este correo.',
    ],
    link: { text: 'Confirmar la dirección', url },
  }),
  new_sign_in: ({ network, browser, at }) => ({
    subject: 'Inicio de sesión desde una red nueva',
    lines: [
      `Se inició sesión en su cuenta desde una red que no había usado antes: ${network}, ${browser ?? 'navegador desconocido'}, ${utc(at)}.`,
      NOT_YOU,
    ],
    link: null,
  }),
  account_changed: ({ change, at }) => ({
    subject: 'Su cuenta ha cambiado',
    lines: [`${CHANGES[change]} (${utc(at)})`, change === 'user.email_changed' ? NOT_YOUR_CHANGE : NOT_YOU],
    link: null,
  }),
  test: ({ origin }) => ({
    subject: 'Prueba del servidor de correo',
    lines: [`Usted pidió este correo a ${origin}. Los correos a los miembros de su empresa llegan.`],
    link: null,
  }),
  endpoint_failing: ({ business, application, url }) => ({
    subject: `El endpoint de ${application} está fallando`,
    lines: [
      `Desde el último éxito han fallado los primeros intentos de cinco entregas al endpoint de ${application}. Cada entrega se vuelve a intentar durante unos tres días.`,
      `Avise al partner. No recibirá más correos sobre esto hasta que un intento tenga éxito. Empresa: ${business}.`,
    ],
    link: { text: 'Abrir las entregas', url },
  }),
  endpoint_disabled: ({ business, application, reason, url }) => ({
    subject: `El endpoint de ${application} está desactivado`,
    lines: [
      reason === 'gone'
        ? `El endpoint de ${application} se desactivó porque respondió que ya no existe (410).`
        : `El endpoint de ${application} se desactivó porque ninguna entrega tuvo éxito durante cinco días.`,
      `Sus entregas se retienen durante 30 días. Actívelo de nuevo cuando el partner lo haya reparado. Empresa: ${business}.`,
    ],
    link: { text: 'Abrir el endpoint', url },
  }),
  key_expiry: ({ business, application, key, endsAt, days, url }) => ({
    subject:
      days > 0
        ? `Una clave de ${application} caduca en ${days} ${days === 1 ? 'día' : 'días'}`
        : `Una clave de ${application} ha caducado`,
    lines: [
      days > 0
        ? `La clave ${key} de ${application} caduca el ${utc(endsAt)}. Las solicitudes con ella recibirán entonces un 401.`
        : `La clave ${key} de ${application} caducó el ${utc(endsAt)}. Las solicitudes con ella reciben un 401.`,
      `Reemplace la clave y envíe la nueva al partner. Empresa: ${business}.`,
    ],
    link: { text: 'Abrir las claves', url },
  }),
  application_errors: ({ business, application, requests, errors, url }) => ({
    subject: `Fallan muchas solicitudes de ${application}`,
    lines: [
      `${errors} de las últimas ${requests} solicitudes de ${application} en 24 horas fallaron. Empresa: ${business}.`,
    ],
    link: { text: 'Abrir las solicitudes', url },
  }),
  not_bookable: ({ business, kind, name, reason, url }) => ({
    subject: `No se puede reservar: ${name}`,
    lines: [
      reason === 'no_hours'
        ? `${name} está en línea, pero no tiene horario.`
        : `${name} está en línea, pero ${WITHOUT_OFFERING[kind]}.`,
      `Los partners no ven horas libres. Empresa: ${business}.`,
    ],
    link: { text: OPEN[kind], url },
  }),
  moved_bookings: ({ business, count, rules, url }) => ({
    subject: `Nuevas reglas de zonas horarias: ${bookings(count)} con otra hora UTC`,
    lines: [
      `Las reglas de zonas horarias ${rules} movieron ${bookings(count)} de ${business}. Cada una conserva la fecha y la hora locales que se dijeron al cliente. Los partners reciben un evento por cada una.`,
    ],
    link: { text: 'Abrir los cambios', url },
  }),
  calendar_unreadable: ({ business, calendar, whose, hours, blocks, url }) => ({
    subject: `No se puede leer el calendario ${calendar} de ${whose}`,
    lines: [
      `El calendario ${calendar} de ${whose} no se pudo leer durante ${hours} horas. Sus citas nuevas no se conocen, y los partners pueden reservar ese tiempo.`,
      blocks
        ? `Usted eligió que todo el tiempo cuente como ocupado si un calendario no se puede leer durante 24 horas. Empresa: ${business}.`
        : `Los últimos tiempos leídos siguen contando. Empresa: ${business}.`,
    ],
    link: { text: `Abrir ${whose}`, url },
  }),
  overlaps: ({ business, count, url }) => ({
    subject: count === 1 ? '1 cita se solapa con otra' : `${count} citas se solapan con otra`,
    lines: [
      `Nuevas reglas de zonas horarias movieron reservas de ${business}. ${count === 1 ? '1 cita se solapa' : `${count} citas se solapan`} con otra del mismo especialista. No se canceló nada: reprograme una de cada par.`,
    ],
    link: { text: 'Abrir lo pendiente', url },
  }),
  backup_overdue: ({ lastAt, url }) => ({
    subject: 'La copia de seguridad está atrasada',
    lines: [
      `La última copia registrada empezó el ${utc(lastAt)}, hace más de 26 horas.`,
      'Compruebe la tarea que ejecuta npm run backup o pregunte al operador. No recibirá más correos sobre esto hasta que una copia más reciente esté atrasada.',
    ],
    link: { text: 'Abrir Entorno', url },
  }),
  daily_summary: ({ business, day, created, requests, failed, url }) => ({
    subject: `${business}: ${day}`,
    lines: [`Reservas nuevas: ${created}.`, `Solicitudes de partners: ${requests}, de las que fallaron ${failed}.`],
    link: { text: 'Abrir el Control Center', url },
  }),
};

/** Returns a time such as `22/11/2026, 14:30 UTC`. */
function utc(at: Date): string {
  const [year, month, day] = at.toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}, ${at.toISOString().slice(11, 16)} UTC`;
}
