import type { Translated } from '../catalogue';

export const ui: Translated<'ui'> = {
  confirmDialog: {
    typeWord: 'Zum Bestätigen „{word}“ eingeben',
    cancel: 'Abbrechen',
  },
  ownPasswordField: {
    yourPassword: 'Ihr Passwort',
  },
  dialog: {
    close: 'Schließen',
  },
  emptyState: {
    command: 'Befehl',
  },
  loadFailed: {
    title: '{what}: Laden fehlgeschlagen',
    tryAgain: 'Erneut versuchen',
  },
  tabs: {
    loading: 'Wird geladen …',
  },
  combobox: {
    searchByName: 'Nach Namen suchen',
    searching: 'Suche läuft …',
    noMatch: 'Nichts gefunden',
  },
  descriptionForm: {
    description: 'Beschreibung',
    hint: 'Steht auf der Zuschauerseite. Webadressen werden zu Links.',
    save: 'Beschreibung speichern',
  },
  nameInPlace: {
    rename: '{what} umbenennen',
    name: 'Name: {what}',
  },
  theme: {
    label: 'Farbschema',
    system: 'System',
    light: 'Hell',
    dark: 'Dunkel',
  },
  list: {
    searchWhat: '{what} nach Namen suchen',
    searchByName: 'Nach Namen suchen',
    view: 'Ansicht',
    table: 'Tabelle',
    grid: 'Kacheln',
    pages: 'Seiten',
    rowsPerPage: 'Zeilen pro Seite',
    rows: '{count, number} Zeilen',
    previous: 'Zurück<hidden> zur vorigen Seite</hidden>',
    next: 'Weiter<hidden> zur nächsten Seite</hidden>',
    loading: 'Wird geladen',
    select: '{name} auswählen',
    selectPage: 'Alle auf dieser Seite auswählen',
    selectAll: 'Alle {count, number} auswählen',
    selectFirst: 'Die ersten {count, number} auswählen',
    selectAllFailed: 'Nicht alle konnten ausgewählt werden',
    actions: 'Aktionen',
    actionsFor: 'Aktionen für {name}',
  },
  bulkActions: {
    done: '{which} {done}',
    notDone: '{which} wurde nicht {done}',
    someNotDone:
      '{failed, plural, one {# von {which} wurde nicht {done}} other {# von {which} wurden nicht {done}}}',
    unchanged: 'Hier wurde nichts geändert.',
    close: 'Schließen',
    tryAgain: 'Erneut versuchen',
  },
  selection: {
    label: 'Auswahl',
    rows: 'Ausgewählte Zeilen',
    progress: '{over, number} von {of, number} erledigt',
    clear: 'Aufheben',
  },
  secret: {
    hide: 'Verbergen',
    hideWhat: '{what} verbergen',
    revealBriefly: '30 Sekunden lang anzeigen',
    revealWhat: '{what} anzeigen',
  },
  poster: {
    poster: 'Vorschaubild',
    hint: {
      stream:
        'Zu sehen, bis die Wiedergabe beginnt, und bei geteilten Links. PNG, JPEG oder WebP, bis 4 MB. Ohne eines: das aktuelle Bild, solange der Stream live ist.',
      asset: 'Ein eigenes Bild anstelle eines Bildes aus dem Video. PNG, JPEG oder WebP, bis 4 MB.',
    },
    upload: 'Bild hochladen',
    replace: 'Bild ersetzen',
    useCurrent: 'Aktuelles Bild verwenden',
    delete: 'Bild löschen',
    file: 'Datei für das Vorschaubild',
    changed: 'Vorschaubild geändert',
    deleted: 'Vorschaubild gelöscht',
    tooLarge: 'Die Datei ist größer als 4 MB.',
  },
  copy: {
    copyWhat: '{what} kopieren',
    copied: 'Kopiert',
    copiedToClipboard: 'In die Zwischenablage kopiert',
    id: {
      stream: 'Stream-ID kopiert',
      session: 'Session-ID kopiert',
      asset: 'Asset-ID kopiert',
      task: 'Aufgaben-ID kopiert',
    },
    playback: 'Wiedergabe-URL kopiert',
    curl: 'curl-Befehl kopiert',
    blocked: 'Der Browser hat das Kopieren verhindert',
  },
  time: {
    justNow: 'gerade eben',
    minutesAgo: 'vor {count, number} min',
    hoursAgo: 'vor {count, number} h',
    yesterday: 'gestern',
    daysAgo: 'vor {count, number} Tagen',
    never: 'Nie',
    asOf: 'Stand {time}',
  },
};
