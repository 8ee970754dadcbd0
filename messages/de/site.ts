import type { Translated } from '../catalogue';

export const site: Translated<'site'> = {
  description: 'Livestreams und Videos auf dem eigenen Server.',
  error: {
    title: 'Etwas ist schiefgegangen',
    text: 'Ihre Daten auf dem Server sind sicher. Ein neuer Versuch hilft oft.',
    details: 'Im Protokoll des Servers steht mehr unter <code>{digest}</code>.',
    tryAgain: 'Erneut versuchen',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Der Link ist falsch, oder die Seite wurde entfernt.',
    home: 'Zur Startseite',
  },
};
