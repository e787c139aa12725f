import type { Language } from '@/lib/platform/text/languages';

/** The links below a notice. */
export const END: Record<Language, { choose: string; refuse: string }> = {
  en: { choose: 'Choose your mails', refuse: 'No more mails of this kind' },
  de: { choose: 'Mails auswählen', refuse: 'Keine Mails dieser Art mehr' },
  fr: { choose: 'Choisir vos e-mails', refuse: 'Ne plus recevoir ce type d’e-mail' },
  es: { choose: 'Elegir sus correos', refuse: 'No recibir más correos de este tipo' },
};
