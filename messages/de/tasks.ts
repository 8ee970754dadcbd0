import type { Translated } from '../catalogue';

export const tasks: Translated<'tasks'> = {
  tasksView: {
    rowCount: '{count, plural, one {# Aufgabe} other {# Aufgaben}}',
    tasks: 'Aufgaben',
    theTasks: 'Die Aufgaben',
    description: 'Arbeit im Hintergrund: Importe, Transcodierungen und Exporte.',
    filterByState: 'Nach Status filtern',
    filter: {
      all: 'Alle',
      running: 'Läuft',
      waiting: 'In der Warteschlange',
      completed: 'Abgeschlossen',
      failed: 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
    type: 'Art',
    types: {
      all: 'Alle Arten',
      import: 'Uploads und Importe',
      transcode: 'Transcodierungen',
      clip: 'Clips',
      transcribe: 'Automatische Untertitel',
      export: 'Exporte',
    },
    only: 'Nur {id}',
    deletedAsset: '<code>{id}…</code> (gelöscht)',
    noTaskMatches: 'Keine passende Aufgabe',
    showAllTasks: 'Alle Aufgaben anzeigen',
    tryOtherTypeOrStatus: 'Versuchen Sie eine andere Art oder einen anderen Status.',
    noTasksYet: 'Noch keine Aufgaben',
    noTasksText:
      'Uploads, Importe, Transcodierungen, Clips und Exporte erscheinen hier mit ihrem Fortschritt. Ziehen Sie zum Starten eine Videodatei auf eine beliebige Seite.',
  },
  taskText: {
    kind: {
      transcode: 'Transcodierung in eine Qualitätsstufe',
      transcodeTo: 'Transcodierung in {name}',
      exportToIpfs: 'Export zu IPFS',
      exportToUrl: 'Export zu einer URL',
      importFromUrl: 'Import von einer URL',
      upload: 'Upload',
      replace: 'Austausch der Datei',
      recording: 'Aufnahme',
      clip: 'Clip',
      transcribe: 'Untertitel erzeugen',
    },
    state: {
      pending: 'Wartet auf die Datei',
      waiting: 'In der Warteschlange',
      running: 'Läuft',
      completed: 'Abgeschlossen',
      failed: 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
    retryScheduled: 'Neuer Versuch geplant',
    progressLeft: '{percent} · noch {time}',
    advice: {
      convert: 'Konvertieren Sie die Datei und laden Sie sie erneut hoch: {command}',
      notMedia:
        'Verwenden Sie die Videodatei selbst. Ein Link zu einer Webseite, einem Player oder einer Playlist funktioniert nicht.',
      shrink: 'Verkleinern Sie die Datei und laden Sie sie erneut hoch: {command}',
      checkUrl: 'Prüfen Sie, ob die URL stimmt und ohne Anmeldung erreichbar ist.',
      privateAddress:
        'Prüfen Sie die URL und ob der andere Server läuft. Für private Adressen muss der Betreiber EGRESS_ALLOW_CIDRS setzen.',
      diskFull: 'Die Festplatte des Servers ist voll. Der Betreiber muss Platz schaffen.',
      tooLarge: 'Der Betreiber kann die Grenze mit MAX_UPLOAD_BYTES erhöhen.',
    },
    unknownReason: 'Unbekannter Grund.',
  },
  assetTasks: {
    tasks: 'Aufgaben',
  },
  taskNotes: {
    tasks: 'Aufgaben',
    cancel: 'Abbrechen',
    newAsset: 'Neues Asset',
  },
  retryTask: {
    again: 'Erneut versuchen<hidden>: {kind}</hidden>',
    convert: 'Jetzt umwandeln<hidden>: {kind}</hidden>',
  },
  taskProgress: {
    progress: 'Fortschritt',
  },
  taskTable: {
    tasks: 'Aufgaben',
    task: 'Aufgabe',
    asset: 'Asset',
    status: 'Status',
    created: 'Erstellt',
    theTask: 'die Aufgabe {kind}',
    copyTaskId: 'Aufgaben-ID kopieren',
    copyAsCurl: 'Als curl kopieren',
    cancelTask: 'Aufgabe abbrechen',
  },
  useTaskActions: {
    taskCancelled: 'Aufgabe abgebrochen',
    taskRestarted: 'Aufgabe neu gestartet',
    notCancelled: 'Die Aufgabe wurde nicht abgebrochen',
    notRetried: 'Die Aufgabe wurde nicht neu gestartet',
  },
};
