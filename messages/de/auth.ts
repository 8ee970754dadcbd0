import type { Translated } from '../catalogue';

export const auth: Translated<'auth'> = {
  form: {
    email: 'E-Mail',
    password: 'Passwort',
    passwordHint: 'Mindestens 10 Zeichen. Ein paar Wörter sind besser als Sonderzeichen.',
    createAccount: 'Konto erstellen',
    logIn: 'Anmelden',
    emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein, zum Beispiel ada@example.com',
    passwordMissing: 'Geben Sie Ihr Passwort ein',
    passwordShort: 'Mindestens 10 Zeichen',
    passwordLong: 'Höchstens 128 Zeichen',
  },
  logIn: {
    title: 'Anmelden',
    welcome: 'Willkommen zurück.',
    newHere: 'Neu hier? <link>Konto erstellen</link>',
  },
  signUp: {
    tab: 'Konto erstellen',
    title: 'Konto erstellen',
    text: 'Sie brauchen nur eine E-Mail-Adresse und ein Passwort.',
    closed: 'Neue Konten sind nicht möglich',
    closedText:
      'Fragen Sie den Betreiber des Servers nach einem Konto. Betreiber erstellen Konten mit <code></code>.',
    haveAccount: 'Schon ein Konto? <link>Anmelden</link>',
    taken:
      'Es wurde kein Konto erstellt. Wenn Sie mit dieser E-Mail schon eines haben, melden Sie sich mit dessen Passwort an.',
  },
  refusal: {
    wrong: 'E-Mail oder Passwort ist falsch',
    unavailable: 'Die Anmeldung ist vorübergehend nicht möglich',
    unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie, ob er läuft.',
  },
  picture: {
    video: 'Video',
    audio: 'Audio',
    time: 'Zeit',
    stream: 'ein Stream',
    text: 'Senden Sie Video aus OBS, ffmpeg oder jedem RTMP-Encoder. Sekunden später läuft es in jedem Browser, von Ihrem eigenen Server.',
  },
};
