import type { Translated } from '../catalogue';

export const access: Translated<'access'> = {
  meta: {
    signingKeys: 'Signaturschlüssel',
  },
  policy: {
    title: 'Wer zusehen darf',
    description:
      'Gilt für Zuschauerseite, Einbettungen, Playlists, Vorschaubilder und Downloads. Aufnahmen übernehmen die Einstellung ihres Streams.',
    ofAssets: 'Ersetzt die Einstellung aller ausgewählten Assets.',
    ofAsset: 'Gilt für Zuschauerseite, Einbettungen, Playlists, Vorschaubilder und Downloads.',
    public: { title: 'Alle', text: 'Wer den Link hat, kann zusehen.' },
    password: { title: 'Passwort', text: 'Zuschauer geben ein Passwort ein, das sie von Ihnen bekommen.' },
    jwt: { title: 'Signiertes Token', text: 'Ihr Server signiert für jeden Zuschauer ein Token (JWT).' },
    webhook: {
      title: 'Ihr Server entscheidet',
      text: 'Ein Webhook wird zu jedem Zuschauer gefragt.',
    },
    passwordField: 'Passwort für Zuschauer',
    passwordKept: 'Lassen Sie das Feld leer, um das aktuelle Passwort zu behalten.',
    passwordHint: '4 bis 200 Zeichen.',
    passwordMissing: 'Geben Sie ein Passwort ein',
    passwordLength: 'Verwenden Sie 4 bis 200 Zeichen',
    passwordExample: 'Mindestens 4 Zeichen',
    signingKeys:
      'Signieren Sie Token mit einem <link>Signaturschlüssel</link>, oder erstellen Sie unter „Teilen“ einen Link für einen einzelnen Zuschauer.',
    signingKeysOfAsset:
      'Signieren Sie Token mit einem <link>Signaturschlüssel</link>, oder erstellen Sie auf dieser Seite einen Link für einen einzelnen Zuschauer.',
    webhookField: 'Webhook',
    chooseWebhook: 'Webhook auswählen',
    webhookMissing: 'Wählen Sie einen Webhook aus',
    noWebhooks: 'Sie haben noch keine Webhooks. <link>Erstellen Sie zuerst einen</link>.',
    webhookHint:
      'Empfängt playback.accessControl mit dem Zugriffsschlüssel des Zuschauers. Jede 2xx-Antwort lässt ihn zu.',
    refresh: 'Erneut fragen nach',
    refreshHint:
      'Sekunden, von 10 bis 86.400. Wer nicht mehr zugelassen ist, sieht spätestens nach dieser Zeit nichts mehr.',
    refreshInvalid: 'Geben Sie eine ganze Zahl von 10 bis 86.400 ein',
    fallback: 'Wenn der Webhook nicht antwortet',
    deny: 'Neue Zuschauer werden abgewiesen',
    allow: 'Neue Zuschauer werden zugelassen',
    context: 'Kontext',
    contextHint:
      'Optional. Ein JSON-Objekt, das der Webhook mit jeder Anfrage erhält. Zuschauer sehen es nie.',
    contextInvalid: 'Geben Sie ein JSON-Objekt mit bis zu 2.048 Zeichen ein, oder lassen Sie das Feld leer',
    origins:
      'Websites, auf denen die Wiedergabe erlaubt ist, zum Beispiel https://example.com. Leer bedeutet: jede Website.',
    originsLabel: 'Erlaubte Ursprünge',
    nothingOnIpfs: 'Die Kopie auf IPFS bleibt öffentlich. Niemand kann sie einschränken oder löschen.',
    whenSaved:
      'Gilt sofort. Aktuelle Zuschauer werden neu geprüft; wer nicht mehr zusehen darf, sieht nach wenigen Sekunden nichts mehr.',
    save: 'Speichern',
    saved: 'Gespeichert, wer zusehen darf',
  },
  badge: {
    password: 'Passwort',
    jwt: 'Signiertes Token',
    webhook: 'Webhook',
    public: 'Erlaubte Ursprünge',
    restricted: 'Eingeschränkt: {how}',
  },
  link: {
    title: 'Link für einen einzelnen Zuschauer',
    text: 'Die Links oben funktionieren nur für Zuschauer, die zusehen dürfen. Dieser hier funktioniert bis zu seinem Ablauf für alle, die ihn haben.',
    expires: 'Wiedergabe kann beginnen',
    hour: '1 Stunde lang',
    day: '1 Tag lang',
    week: '7 Tage lang',
    create: 'Link erstellen',
    watchPage: 'Zuschauerseite mit Token',
    embedCode: 'Einbettungscode mit Token',
    until: 'Die Wiedergabe kann bis {time} beginnen.',
    failed: 'Der Link konnte nicht erstellt werden',
  },
  keysView: {
    title: 'Signaturschlüssel',
    description:
      'Ihr Server signiert Wiedergabe-Token mit einem Schlüssel, damit nur Ihre Zuschauer zusehen können.',
    theKeys: 'Die Signaturschlüssel',
    noKeysYet: 'Noch keine Signaturschlüssel',
    createOne:
      'Erstellen Sie einen Schlüssel, und stellen Sie dann bei einem Stream oder Asset „Wer zusehen darf“ auf „Signiertes Token“. Für einzelne Zuschauer brauchen Sie keinen Schlüssel: Erstellen Sie auf der Seite des Streams oder Assets einen Link.',
    deleteTitle: 'Signaturschlüssel „{name}“ löschen?',
    deleteWord: 'löschen',
    deleteKey: 'Schlüssel löschen',
    deleted: 'Signaturschlüssel „{name}“ gelöscht',
    whatStops:
      'Zuschauer mit Token dieses Schlüssels sehen nach wenigen Sekunden nichts mehr. Das kann nicht rückgängig gemacht werden.',
    notSaved: 'Die Änderung konnte nicht gespeichert werden',
    snippets: 'Ein Token erstellen',
    snippetsText:
      'Führen Sie dies auf Ihrem Server aus, nie auf einer Webseite. Der Player Ihres Zuschauers bekommt das Token als <code>?jwt=</code> in der URL der Zuschauerseite, der Einbettung oder der Playlist.',
    language: 'Sprache',
  },
  createKey: {
    create: 'Signaturschlüssel erstellen',
    name: 'Name',
    nameExample: 'Website',
    nameMissing: 'Geben Sie einen Namen ein',
    nameTooLong: 'Höchstens 100 Zeichen',
    created: 'Signaturschlüssel „{name}“ erstellt',
    saveNow:
      'Sichern Sie den privaten Schlüssel jetzt. Er wird nicht gespeichert und kann nicht noch einmal angezeigt werden.',
    privateKey: 'Privater Schlüssel',
    publicKey: 'Öffentlicher Schlüssel',
    linesForEnv: 'Zeilen für .env',
    download: '.pem herunterladen',
    done: 'Fertig',
  },
  keyTable: {
    label: 'Signaturschlüssel',
    name: 'Name',
    status: 'Status',
    publicKey: 'Öffentlicher Schlüssel',
    created: 'Erstellt',
    active: 'Aktiv',
    disabled: 'Deaktiviert',
    copyPublicKey: 'Öffentlichen Schlüssel kopieren',
    rename: 'Umbenennen',
    disable: 'Deaktivieren',
    enable: 'Aktivieren',
    deleteKey: 'Schlüssel löschen',
    copied: 'Öffentlicher Schlüssel kopiert',
    disableTitle: 'Signaturschlüssel „{name}“ deaktivieren?',
    disableText:
      'Zuschauer mit Token dieses Schlüssels sehen nach wenigen Sekunden nichts mehr. Sie können ihn wieder aktivieren.',
    disableKey: 'Schlüssel deaktivieren',
    renameTitle: '„{name}“ umbenennen',
    save: 'Speichern',
  },
};
