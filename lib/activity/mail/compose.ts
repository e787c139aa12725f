import MailComposer from 'nodemailer/lib/mail-composer';
import { env } from '@/lib/platform/env';
import type { Language } from '@/lib/platform/text/languages';
import type { MailText, QueuedText } from './facts';
import { isNoticeKind } from './kinds';
import { END } from './languages/end';
import { unsubscribeUrl } from './unsubscribe';

/** A mail that is about to be sent. */
export type Composed = {
  id: string;
  kind: string;
  tenantId: string | null;
  userId: string | null;
  email: string;
  createdAt: Date;
  text: QueuedText;
};

/**
 * Returns a mail as it is sent, as plain text and HTML. Its Message-ID depends only on the mail, so programs recognize a
 * second copy.
 */
export async function compose(mail: Composed, from: string): Promise<Buffer> {
  const { id, kind, userId, tenantId, email, createdAt, text } = mail;
  const { origin } = env();
  const unsubscribe = userId !== null && isNoticeKind(kind) ? unsubscribeUrl({ userId, kind }) : null;
  const { language = 'en' } = text;
  const { choose, refuse } = END[language];
  const end = unsubscribe
    ? [
        { text: choose, url: `${origin}/t/${tenantId}/account` },
        { text: refuse, url: unsubscribe },
      ]
    : [];
  const composer = new MailComposer({
    from: { name: 'Partner Booking', address: from },
    to: [{ name: '', address: email }],
    subject: text.subject,
    date: createdAt,
    messageId: `<${id}@${new URL(origin).hostname.replace(/^\[|\]$/g, '')}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    text: plain(text, end, origin),
    html: html(text, end, origin, language),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

type Link = { text: string; url: string };

function plain({ lines, link }: MailText, end: readonly Link[], origin: string): string {
  const links = (all: readonly Link[]) => all.map(({ text, url }) => `${text}:\n${url}`);
  return [...lines, ...links(link ? [link] : []), `--\n${origin}`, ...links(end)].join('\n\n');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

// Mail programs remove style sheets, so every element has its own style. Colors are left to the program and its dark mode.
function html({ subject, lines, link }: MailText, end: readonly Link[], origin: string, language: Language): string {
  const anchor = ({ text, url }: Link) => `<a href="${escaped(url)}">${escaped(text)}</a>`;
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${escaped(line)}</p>`);
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px">
${paragraphs.join('\n')}
${link ? `<p style="margin:0 0 24px;font-weight:600">${anchor(link)}</p>` : ''}
<p style="margin:0;font-size:13px">${[escaped(origin), ...end.map(anchor)].join(' · ')}</p>
</div></body></html>`;
}
