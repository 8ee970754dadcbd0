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
    forgot: 'Passwort vergessen?',
    passkey: 'Weiter mit Passkey',
  },
  secondStep: {
    code: 'Code',
    codeHint: 'Die sechs Ziffern in Ihrer Authenticator-App.',
    recoveryCode: 'Wiederherstellungscode',
    recoveryHint: 'Jeder Wiederherstellungscode gilt einmal.',
    logIn: 'Anmelden',
    usePasskey: 'Passkey benutzen',
    useRecovery: 'Wiederherstellungscode benutzen',
    noRecovery: 'Anderen Weg benutzen',
    back: 'Zurück',
    wrong: {
      code: 'Dieser Code ist falsch oder wurde schon benutzt',
      passkey: 'Dieser Passkey funktioniert hier nicht. Vielleicht wurde er aus dem Konto entfernt.',
    },
  },
  signUp: {
    tab: 'Konto erstellen',
    title: 'Konto erstellen',
    text: 'Sie brauchen nur eine E-Mail-Adresse und ein Passwort.',
    closed: 'Neue Konten sind nicht möglich',
    closedText:
      'Fragen Sie den Betreiber des Servers nach einem Konto. Betreiber erstellen Konten mit <code></code>.',
    invited: 'Sie sind eingeladen. Wählen Sie ein Passwort, um Ihr Konto zu erstellen.',
    byInvitation: 'Neue Konten nur mit Einladung',
    byInvitationText: 'Fragen Sie den Betreiber des Servers nach einem Einladungslink.',
    badInvitation: 'Diese Einladung funktioniert nicht',
    badInvitationText:
      'Der Link ist unvollständig, abgelaufen, benutzt oder widerrufen. Fragen Sie den Betreiber des Servers nach einem neuen.',
    haveAccount: 'Schon ein Konto? <link>Anmelden</link>',
    taken:
      'Es wurde kein Konto erstellt. Wenn Sie mit dieser E-Mail schon eines haben, melden Sie sich mit dessen Passwort an.',
  },
  join: {
    tab: 'Team beitreten',
    title: '{name} beitreten',
    text: '{by} hat Sie als {role} eingeladen.',
    textWithoutPerson: 'Sie sind als {role} eingeladen.',
    roles: { viewer: 'Betrachter', developer: 'Entwickler', admin: 'Admin', owner: 'Inhaber' },
    join: 'Team beitreten',
    bad: 'Diese Einladung funktioniert nicht',
    badText: 'Der Link ist unvollständig, abgelaufen, benutzt oder widerrufen. Bitten Sie um einen neuen.',
    otherAddress:
      'Diese Einladung ist für {email}. Sie sind als {own} angemeldet. Melden Sie sich ab und öffnen Sie den Link noch einmal.',
    visitor: 'Diese Einladung ist für {email}.',
    signUp: 'Konto erstellen',
    logIn: 'Mit einem vorhandenen Konto anmelden',
  },
  reset: {
    title: 'Passwort zurücksetzen',
    text: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten einen Link, der eine Stunde lang funktioniert.',
    send: 'Link senden',
    sent: 'Prüfen Sie Ihre E-Mails',
    sentText: 'Wenn {email} ein Konto hat, ist ein Link unterwegs. Das kann einige Minuten dauern.',
    noMail:
      'Dieser Server sendet keine E-Mails. Fragen Sie den Betreiber nach einem Link zum Zurücksetzen. Betreiber erstellen ihn mit <code></code>.',
    choose: 'Neues Passwort wählen',
    chooseText: 'Alle Browser, die bei Ihrem Konto angemeldet sind, werden abgemeldet.',
    newPassword: 'Neues Passwort',
    save: 'Passwort setzen',
    requestNew: 'Neuen Link anfordern',
    back: 'Zurück zur Anmeldung',
  },
  confirm: {
    title: 'E-Mail-Adresse bestätigen',
    text: 'Ihr Konto bekommt diese E-Mail-Adresse, sobald Sie sie bestätigen.',
    confirm: 'E-Mail-Adresse bestätigen',
    done: 'E-Mail-Adresse geändert',
    doneText: 'Melden Sie sich von jetzt an mit {email} an.',
    incomplete: 'Dieser Link ist unvollständig. Öffnen Sie den Link aus der E-Mail noch einmal.',
    home: 'Zum Dashboard',
  },
  oidc: {
    continue: 'Weiter mit {name}',
    or: 'oder',
    domain:
      'Konten mit der Domain Ihrer E-Mail-Adresse können sich hier nicht anmelden. Nehmen Sie ein anderes Konto, oder fragen Sie den Betreiber des Servers.',
    suspended: 'Dieses Konto ist gesperrt. Fragen Sie den Betreiber des Servers.',
    unverified:
      'Ihr Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort und versuchen Sie es noch einmal, oder fragen Sie den Betreiber des Servers.',
    no_account:
      'Kein Konto hat Ihre E-Mail-Adresse. Fragen Sie den Betreiber des Servers nach einem Konto oder einer Einladung.',
    away: 'Der Anmeldedienst antwortet nicht. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
    failed:
      'Die Anmeldung beim Anmeldedienst wurde nicht abgeschlossen. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
    busy: 'Zu viele Anmeldeversuche. Versuchen Sie es in 15 Minuten noch einmal.',
  },
  rejection: {
    wrong: 'E-Mail oder Passwort ist falsch',
    unavailable: 'Die Anmeldung ist vorübergehend nicht möglich',
    unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie, ob er läuft.',
    lockedOut:
      'Zu viele Anmeldeversuche. Versuchen Sie es in {wait} wieder, oder setzen Sie Ihr Passwort zurück, um sich sofort anzumelden.',
    tooMany: 'Zu viele Anmeldeversuche. Versuchen Sie es in {wait} wieder.',
  },
  wait: {
    second: '{count, plural, one {# Sekunde} other {# Sekunden}}',
    minute: '{count, plural, one {# Minute} other {# Minuten}}',
    hour: '{count, plural, one {# Stunde} other {# Stunden}}',
  },
  picture: {
    video: 'Video',
    audio: 'Audio',
    time: 'Zeit',
    stream: 'ein Stream',
    text: 'Senden Sie Video aus OBS, ffmpeg oder jedem RTMP-Encoder. Sekunden später läuft es in jedem Browser, von Ihrem eigenen Server.',
  },
};
