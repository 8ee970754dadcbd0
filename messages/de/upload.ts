import type { Translated } from '../catalogue';

export const upload: Translated<'upload'> = {
  dropAnywhere: {
    dropToUpload: 'Zum Hochladen loslassen',
    acceptedFiles: {
      mp4: 'Jede Datei wird ein Asset: MP4 mit H.264-Video und optional AAC-Ton.',
      any: 'Jede Datei wird ein Asset: MP4, MOV, MKV, WebM, AVI und andere Video- und Audiodateien.',
    },
  },
  uploadButton: {
    filesToUpload: 'Dateien zum Hochladen',
    upload: 'Hochladen',
  },
  uploadDock: {
    uploads: 'Uploads',
    hideList: 'Liste der Uploads ausblenden',
    showList: 'Liste der Uploads anzeigen',
    closeList: 'Liste der Uploads schließen',
    allUploads: 'Alle Uploads',
  },
  uploadRow: {
    uploadOf: 'Upload von {name}',
    processingOf: 'Verarbeitung von {name}',
    pauseName: '{name} anhalten',
    resumeName: '{name} fortsetzen',
    retryName: '{name} erneut versuchen',
    cancelName: '{name} abbrechen',
    removeName: '{name} aus der Liste entfernen',
    fileName: 'Datei {name}',
    chooseTheFileAgain: 'Datei erneut auswählen',
    differentFile:
      '„{wrong}“ ist eine andere Datei. Wählen Sie „{name}“ ({size}), um diesen Upload fortzusetzen.',
  },
  uploadText: {
    queued: 'In der Warteschlange · {size}',
    queuedAt: 'In der Warteschlange bei {at}',
    checking: 'Datei wird geprüft',
    atOfSize: '{at} von {size}',
    left: 'noch {time}',
    paused: 'Angehalten bei {at}',
    detached:
      'Bei {at} abgebrochen, als Sie die Seite verlassen haben. Wählen Sie die Datei erneut aus, um fortzufahren.',
    elsewhere: '{at} · in einem anderen Tab',
    processing: 'Hochgeladen · in Arbeit',
    processingAt: 'Hochgeladen · in Arbeit, {at}',
    broken: 'Bei {at} abgebrochen. {reason}',
    fault: {
      connectionLost: 'Die Verbindung wurde unterbrochen.',
      serverBusy: 'Der Server kann die Datei gerade nicht annehmen.',
      expired: 'Dieser Upload ist abgelaufen.',
      rejected: 'Der Server hat die Datei abgelehnt (Status {status}).',
      pageIncomplete: 'Ein Teil dieser Seite konnte nicht geladen werden.',
    },
    ready: 'Kann abgespielt werden',
    failed: 'Aus unbekanntem Grund fehlgeschlagen.',
    all: {
      uploading: '{count, plural, one {# Datei wird} other {# Dateien werden}} hochgeladen',
      stopped: '{count, plural, one {# Datei wurde} other {# Dateien wurden}} abgebrochen',
      processing: '{count, plural, one {# Datei} other {# Dateien}} in Arbeit',
      failed: '{count, plural, one {# Datei} other {# Dateien}} fehlgeschlagen',
      ready: '{count, plural, one {# Datei} other {# Dateien}} fertig',
      readyAndFailed:
        '{count, plural, one {# Datei} other {# Dateien}} fertig, {failed, number} fehlgeschlagen',
    },
    rejected: {
      notVideo: '„{name}“ ist kein Video.',
      notMp4:
        '„{name}“ ist keine MP4-Datei. Konvertieren Sie sie in MP4 mit H.264-Video und AAC-Ton, oder bitten Sie den Betreiber, Konvertierungen zu erlauben (ACCEPT_MEDIA=convert).',
      notMedia: '„{name}“ ist weder Video noch Ton.',
      empty: '„{name}“ ist leer.',
      alreadyQueued: '„{name}“ ist schon in der Warteschlange.',
      tooMany: '„{name}“ wurde nicht hinzugefügt: höchstens {most, number} Dateien gleichzeitig.',
    },
    othersRejected:
      '{count, plural, one {Auch eine weitere Datei wurde nicht hinzugefügt.} other {Auch # weitere Dateien wurden nicht hinzugefügt.}}',
  },
  uploadsProvider: {
    theAssetWasDeleted: 'Das Asset wurde gelöscht.',
    task: {
      failed: 'Die Aufgabe ist fehlgeschlagen.',
      cancelled: 'Die Aufgabe wurde abgebrochen.',
    },
  },
};
