import type { Translated } from '../catalogue';

export const keys: Translated<'keys'> = {
  meta: {
    apiKeys: 'API-Schlüssel',
  },
  keysView: {
    title: 'API-Schlüssel',
    description: 'Mit Schlüsseln kann Ihr Code die API in Ihrem Namen aufrufen.',
    theKeys: 'Die Schlüssel',
    noKeysYet: 'Noch keine Schlüssel',
    checkThatAKeyWorks: 'Prüfen, ob ein Schlüssel funktioniert:',
    createOne:
      'Erstellen Sie einen Schlüssel, um Streams und Assets aus Ihrem eigenen Code zu verwalten. Das Dashboard braucht keinen.',
    deleteTitle: 'Schlüssel „{name}“ löschen?',
    deleteWord: 'löschen',
    deleteKey: 'Schlüssel löschen',
    deleted: 'Schlüssel „{name}“ gelöscht',
    whatStops:
      'Alles, was {key} verwendet, funktioniert sofort nicht mehr. Das kann nicht rückgängig gemacht werden.',
  },
  createKey: {
    name: 'Name',
    nameExample: 'Produktionsserver',
    nameMissing: 'Geben Sie einen Namen ein',
    nameTooLong: 'Höchstens 100 Zeichen',
    originsMissing: 'Fügen Sie mindestens einen Ursprung hinzu',
    everyWebsite:
      'Mit <b>*</b> kann jede Website diesen Schlüssel verwenden. Geben Sie nach Möglichkeit Ihre eigenen Ursprünge an.',
    fullAccess: 'Voller Zugriff',
    whenOff: 'Wenn ausgeschaltet, sind nur die Endpunkte für Browser erlaubt.',
    fullAccessRisk:
      'Jeder, der Ihre Seite öffnet, kann diesen Schlüssel lesen und damit alles in Ihrem Team lesen, ändern und löschen.',
    createKey: 'Schlüssel erstellen',
    kindOfKey: 'Art des Schlüssels',
    backend: {
      title: 'Backend-Schlüssel',
      text: 'Für Ihren Server. Voller Zugriff auf die API. In Browsern abgewiesen.',
    },
    browser: {
      title: 'Browser-Schlüssel',
      text: 'Für Webseiten auf den angegebenen Ursprüngen. Eingeschränkter Zugriff, sofern Sie den vollen Zugriff nicht einschalten.',
    },
    keyCreated: 'Schlüssel „{name}“ erstellt',
    createApiKey: 'API-Schlüssel erstellen',
    copyNow: 'Kopieren Sie das Geheimnis jetzt. Die Liste zeigt nur die letzten vier Zeichen.',
    howToSeeAgain: 'Um es erneut zu sehen, brauchen Sie Ihr Passwort.',
  },
  limits: {
    scope: 'Umfang',
    scopes: { read: 'Nur lesen', streams: 'Streams', assets: 'Assets', webhooks: 'Webhooks', all: 'Alles' },
    scopeText: {
      read: 'Liest alles, ohne Stream-Schlüssel. Ändert nichts.',
      streams: 'Liest und ändert Streams, Sessions und Ziele.',
      assets: 'Liest und ändert Assets und Aufgaben.',
      webhooks: 'Liest und ändert Webhooks.',
      all: 'Liest und ändert alles in diesem Team.',
    },
    expires: 'Läuft ab',
    expired: 'Abgelaufen',
    expiresText: 'Danach werden Anfragen mit dem Schlüssel abgelehnt.',
    lives: { never: 'Nie', '30': 'In 30 Tagen', '90': 'In 90 Tagen', '365': 'In einem Jahr' },
  },
  keySecret: {
    secret: 'Geheimnis',
    lineForEnv: 'Zeile für .env',
    tryIt: 'Ausprobieren',
    done: 'Fertig',
  },
  keyTable: {
    apiKeys: 'API-Schlüssel',
    name: 'Name',
    kind: 'Art',
    key: 'Schlüssel',
    lastUsed: 'Zuletzt verwendet',
    calls: 'API-Aufrufe, 30 Tage',
    revealSecret: 'Geheimnis anzeigen',
    deleteKey: 'Schlüssel löschen',
    anyOrigin: 'jeder Ursprung',
    disabled: {
      creator_left: 'Deaktiviert: {email} hat das Team verlassen',
      creator_role: 'Deaktiviert: Die Rolle von {email} wurde herabgestuft',
    },
    deletedAccount: 'ein gelöschtes Konto',
  },
  keyKind: {
    backend: 'Backend',
    browser: 'Browser',
    browserFullAccess: 'Browser, voller Zugriff',
  },
  originsField: {
    allowedOrigins: 'Erlaubte Ursprünge',
    whatTheyAre: 'Websites, die den Schlüssel verwenden dürfen, zum Beispiel https://example.com',
    add: 'Hinzufügen',
    originsOfThisKey: 'Ursprünge dieses Schlüssels',
    removeOrigin: '{origin} entfernen',
    noScheme: '„{text}“ muss mit https:// oder http:// beginnen',
    asteriskInHost:
      '„{text}“: Hostnamen mit * werden nicht unterstützt. Fügen Sie jeden Ursprung hinzu, oder * allein für alle Websites',
    hasPath: '„{text}“ darf keinen Pfad haben: Verwenden Sie {origin}',
    noOrigin: '„{text}“ muss die Form scheme://host[:port] haben, zum Beispiel https://example.com',
  },
  revealForm: {
    revealSecret: 'Geheimnis anzeigen',
    title: '„{name}“ anzeigen',
    secretOfKey: 'Das Geheimnis dieses Schlüssels.',
    confirmWithPassword: 'Bestätigen Sie mit Ihrem Passwort.',
    inAuditLog: 'Dies wurde im Änderungsprotokoll vermerkt.',
  },
};
