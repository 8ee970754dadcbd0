import type { Translated } from '../catalogue';

export const targets: Translated<'targets'> = {
  meta: {
    targets: 'Ziele',
  },
  targetsView: {
    title: 'Ziele',
    description: 'Dienste, die Ihre Livestreams empfangen.',
    noTargetsYet: 'Noch keine Ziele',
    orUseTheApi: 'Oder über die API:',
    createOne:
      'Erstellen Sie eines mit dem Stream-Schlüssel von YouTube, Twitch, Facebook oder einem beliebigen RTMP-, SRT- oder WHIP-Dienst und fügen Sie es dann einem Stream hinzu.',
    theTargets: 'Die Ziele',
    enabled: '„{name}“ aktiviert',
    disabled: '„{name}“ deaktiviert',
    notSaved: 'Die Änderung konnte nicht gespeichert werden',
  },
  addTarget: {
    createTarget: 'Ziel erstellen',
    addATarget: 'Ziel hinzufügen',
    keyIsStored: 'Der Schlüssel wird verschlüsselt gespeichert und nie wieder angezeigt.',
    whenItIsPushed: 'Solange dieser Stream live ist, wird er an diesen Dienst gesendet.',
    addTarget: 'Ziel hinzufügen',
    noTargetsYet: 'Ihr Team hat noch keine Ziele.',
    allAreAdded: 'Alle Ziele Ihres Teams sind diesem Stream bereits hinzugefügt.',
    back: 'Zurück',
  },
  connectionTest: {
    testingConnection: 'Verbindung wird getestet …',
    testConnection: 'Verbindung testen',
  },
  createTarget: {
    created: '„{name}“ erstellt',
    addItToAStream: 'Fügen Sie es auf der Seite eines Streams hinzu.',
    createTarget: 'Ziel erstellen',
    nothingIsSentYet:
      'Es wird nichts gesendet, bis Sie es einem Stream hinzufügen. Der Schlüssel wird verschlüsselt gespeichert und nie wieder angezeigt.',
  },
  deleteTarget: {
    title: 'Ziel „{name}“ löschen?',
    deleteWord: 'löschen',
    deleteTarget: 'Ziel löschen',
    deleted: 'Ziel „{name}“ gelöscht',
    whatIsDeleted:
      'Seine URL wird endgültig gelöscht, und es wird aus allen Streams entfernt. Laufende Streams senden nicht mehr dorthin.',
  },
  editTarget: {
    name: 'Name',
    nameMissing: 'Geben Sie einen Namen ein',
    nameTooLong: 'Höchstens 500 Zeichen',
    newUrl: 'Neue URL',
    fullUrl:
      'Die vollständige URL mit dem Stream-Schlüssel oder, bei einem WHIP-Endpunkt, mit dem Bearer-Token nach #. Leer lassen, um die gespeicherte zu behalten, die nicht angezeigt werden kann. Ein laufender Stream übernimmt Änderungen innerhalb von Sekunden.',
    save: 'Speichern',
    saved: '„{name}“ gespeichert',
    changeTarget: 'Ziel ändern',
  },
  platforms: {
    custom: 'Eigene',
    hint: {
      youtube: 'In YouTube Studio: Erstellen → Livestream starten → Stream.',
      twitch: 'Im Creator-Dashboard: Einstellungen → Stream → Primärer Stream-Schlüssel.',
      facebook: 'In Live Producer: Streaming-Software → Stream-Schlüssel.',
      custom:
        'rtmp://, rtmps:// oder srt:// mit dem Stream-Schlüssel, oder die https://-URL eines WHIP-Endpunkts.',
    },
    keyOnly: 'Geben Sie nur den Stream-Schlüssel ein, nicht die URL.',
    unlikelyKey: 'Das sieht nicht wie ein Stream-Schlüssel von {platform} aus.',
  },
  referenceForm: {
    target: 'Ziel',
    nameDisabled: '{name} (deaktiviert)',
    createTarget: 'Ziel erstellen',
    rendition: 'Qualitätsstufe',
    whatSourceIs: '„source“ ist der unveränderte Stream Ihres Encoders.',
    withoutAudio: 'Ohne Ton',
    addToStream: 'Zum Stream hinzufügen',
  },
  streamTargetsPanel: {
    targets: 'Ziele',
    noTargets:
      'Keine Ziele. Fügen Sie eines hinzu, um diesen Stream an einen anderen Dienst zu senden, solange er live ist.',
    profileWithoutAudio: '{profile}, ohne Ton',
    actionsFor: 'Aktionen für {name}',
    enableForAllStreams: 'Für alle Streams aktivieren',
    disableForAllStreams: 'Für alle Streams deaktivieren',
    removeFromThisStream: 'Von diesem Stream entfernen',
    notSaved: 'Die Änderung konnte nicht gespeichert werden',
  },
  targetForm: {
    streamKey: 'Stream-Schlüssel',
    nameOptional: 'Name (optional)',
    nameTooLong: 'Höchstens 500 Zeichen',
    keyMissing: 'Geben Sie den Stream-Schlüssel ein',
    bearerToken: 'Bearer-Token (optional)',
    bearerTokenHint: 'Der Stream-Schlüssel oder das Token des WHIP-Endpunkts.',
    hostOfTheUrl: 'Der Host der URL',
    createTarget: 'Ziel erstellen',
    platform: 'Plattform',
  },
  targetTable: {
    created: 'Erstellt',
    label: 'Multistream-Ziele',
    name: 'Name',
    state: 'Status',
    enabled: 'Aktiviert',
    disabled: 'Deaktiviert',
    usedBy: 'Verwendet von',
    noStream: 'Kein Stream',
    testConnection: 'Verbindung testen',
    renameOrReplaceUrl: 'Umbenennen oder URL ersetzen',
    enable: 'Aktivieren',
    disable: 'Deaktivieren',
    deleteTarget: 'Ziel löschen',
  },
  targetWords: {
    state: {
      disconnected: 'Sendet nicht',
      waiting: 'Wartet',
      connecting: 'Verbindet',
      connected: 'Live',
      error: 'Fehlgeschlagen',
      disabled: 'Deaktiviert',
    },
    whenItStarts: 'Startet, wenn Video eintrifft.',
  },
  testTarget: {
    title: 'Verbindung zu „{name}“ testen',
    description:
      'Headwater verbindet sich mit der gespeicherten URL und dem Schlüssel und trennt die Verbindung, ohne Medien zu senden.',
    testingConnection: 'Verbindung wird getestet …',
    testAgain: 'Erneut testen',
    close: 'Schließen',
  },
};
