import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { passwordError } from '@/app/_components/password-hint';
import { signInWith } from '@/app/_components/use-sign-in';
import { canonicalName, type ZoneChoice } from '@/app/_components/zones';
import { send } from '@/app/(auth)/_components/send';

const EMPTY = {
  business_name: '',
  time_zone: '',
  locales: [] as string[],
  name: '',
  email: '',
  password: '',
};

/**
 * Returns the language code at the start of a browser's locale tag, such as `en` for `en-US`. Returns `en` if the
 * tag does not start with a language code.
 */
function languageOf(tag: string): string {
  return /^[a-z]{2,3}(?=$|[-_@.])/i.exec(tag)?.[0].toLowerCase() ?? 'en';
}

/** Returns the state of the setup form. */
export function useSetup(token: string, zones: readonly ZoneChoice[]) {
  const t = useTranslations('signIn');
  const tCommon = useTranslations('common');
  const tPassword = useTranslations('common.password');
  const tSignIn = useTranslations('common.signIn');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      business_name: (value) => (value.trim() ? null : t('setup.needBusinessName')),
      time_zone: (value) => (value ? null : t('setup.needZone')),
      locales: (value) => (value.length > 0 ? null : t('setup.needLanguage')),
      name: (value) => (value.trim() ? null : t('frame.needName')),
      email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : t('frame.needEmail')),
      password: (value) => passwordError(tPassword, value),
    },
  });
  const { setValues } = form;
  // The default time zone and language come from the browser, because the server does not know them.
  useEffect(() => {
    setValues({
      time_zone: canonicalName(zones, Intl.DateTimeFormat().resolvedOptions().timeZone),
      locales: [languageOf(navigator.language)],
    });
  }, [setValues, zones]);
  const submit = form.onSubmit(async (values) => {
    setBusy(true);
    setProblem(null);
    const result = await send('/api/setup', { token, ...values }, t('setup.ended'), tCommon);
    if (result.ok) {
      const signedIn = await signInWith({ email: values.email, password: values.password, tenant: null }, tSignIn);
      return window.location.assign(signedIn.ok ? '/' : '/sign-in');
    }
    setBusy(false);
    form.setErrors(Object.fromEntries(Object.entries(result.fields).map(([path, text]) => [path.split('.')[0], text])));
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  return { form, problem, busy, submit };
}
