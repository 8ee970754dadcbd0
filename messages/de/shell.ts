import type { Translated } from '../catalogue';

export const shell: Translated<'shell'> = {
  navigation: {
    label: 'Hauptmenü',
    within: 'Seiten unter {page}',
    home: 'Start',
    streams: 'Streams',
    sessions: 'Sessions',
    assets: 'Assets',
    tasks: 'Aufgaben',
    targets: 'Ziele',
    developers: 'Entwickler',
    keys: 'API-Schlüssel',
    signingKeys: 'Signaturschlüssel',
    webhooks: 'Webhooks',
    docs: 'API-Referenz',
    account: 'Konto',
    usage: 'Nutzung',
    settings: 'Einstellungen',
    service: 'Dienst',
    admin: 'Verwaltung',
  },
  frame: {
    createTeam: 'Team erstellen',
    skipToContent: 'Zum Inhalt',
    search: 'Suchen',
    searchKeys: 'Strg K',
    navigation: 'Navigation',
    openNavigation: 'Navigation öffnen',
    closeNavigation: 'Navigation schließen',
    account: 'Konto {email}',
    logOut: 'Abmelden',
  },
  teams: {
    teams: 'Teams',
    current: 'Team {name}',
    create: 'Team erstellen',
    createText: 'Ein Team hat eigene Streams, Assets, API-Schlüssel und Mitglieder.',
    name: 'Name',
    cancel: 'Abbrechen',
    readOnly: 'Ihre Rolle in diesem Team ist {role}. Um dies zu ändern, brauchen Sie die Rolle {least}.',
  },
  connection: {
    loggedOut: 'Sie sind abgemeldet',
    logInAgain:
      'Melden Sie sich in einem neuen Tab wieder an, und kommen Sie dann zurück. Was Sie hier eingegeben haben, bleibt.',
    close: 'Schließen',
    logIn: 'Anmelden',
    notResponding: 'Der Server antwortet seit {since} nicht, neuer Versuch läuft',
    offline:
      'Sie sind offline. Diese Seite ist vielleicht nicht aktuell und wird erneuert, sobald Sie wieder verbunden sind.',
  },
};
