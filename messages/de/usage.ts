import type { Translated } from '../catalogue';

export const usage: Translated<'usage'> = {
  kinds: {
    ingestedMinutes: 'Live empfangen',
    transcodedMinutes: 'Transcodiert',
    importedMinutes: 'Hochgeladen und importiert',
  },
  usageView: {
    usage: 'Nutzung',
    theUsage: 'Die Nutzung',
    description: 'Empfangene Minuten, ausgelieferte Daten und belegter Speicher. Die Tage gelten in UTC.',
    downloadCsv: 'CSV herunterladen',
    time: 'Zeitraum',
    span: {
      '7': '7 Tage',
      '30': '30 Tage',
      '90': '90 Tage',
      '365': 'Ein Jahr',
    },
    dayByDay: 'Tag für Tag',
    videoMinutesAndDeliveredData: 'Minuten Video und an Zuschauer ausgelieferte Daten.',
    showAs: 'Anzeigen als',
    received: 'Empfangen',
    delivered: 'Ausgeliefert',
    table: 'Tabelle',
    byStream: 'Nach Stream',
    minutesInThisPeriod: 'Minuten in diesem Zeitraum, die meisten zuerst.',
    noUsageInPeriod: 'In diesem Zeitraum war kein Stream live, und keiner wurde angesehen.',
    nothingReceived: 'In diesem Zeitraum wurde kein Video empfangen.',
    nothingDelivered: 'In diesem Zeitraum wurde kein Video ausgeliefert.',
    minutes: 'Minuten',
    bytes: 'Bytes',
    loading: 'Wird geladen',
  },
  usageChart: {
    minutesReceivedPerDay: 'Empfangene Minuten pro Tag. Die Tabelle daneben enthält die Zahlen.',
    minutesAndBytesDelivered:
      'Ausgelieferte Minuten und Bytes pro Tag. Die Tabelle daneben enthält die Zahlen.',
  },
  usageTables: {
    minutes: '{minutes} min',
    minutesPerDay: 'Minuten pro Tag',
    dayUtc: 'Tag (UTC)',
    delivered: 'Ausgeliefert',
    bytesDelivered: 'Ausgelieferte Bytes',
    minutesByStream: 'Minuten nach Stream',
    stream: 'Stream',
    deleted: '(gelöscht)',
  },
  usageTotals: {
    min: 'min',
    delivered: 'Ausgeliefert',
    storedNow: 'Derzeit gespeichert',
    storedDeleted: '{size} gelöscht, sieben Tage lang aufbewahrt',
  },
  quotas: {
    title: 'Kontingente',
    description: 'Grenzen, die der Betreiber dieses Dienstes gesetzt hat.',
    names: {
      liveStreams: 'Gleichzeitige Livestreams',
      storageBytes: 'Speicher',
      viewerBytes: 'Auslieferung in diesem Monat',
      uploadBytes: 'Größe einer Datei',
      renditions: 'Qualitätsstufen eines Streams',
    },
    used: '{used} von {limit}',
    warned: {
      liveStreams: 'Über 80 % sind genutzt.',
      storageBytes: 'Über 80 % sind genutzt. Löschen Sie Assets, die Sie nicht mehr brauchen.',
      viewerBytes: 'Über 80 % sind genutzt. An der Grenze stoppt die Wiedergabe bis zum nächsten Monat.',
      uploadBytes: 'Über 80 % sind genutzt.',
      renditions: 'Über 80 % sind genutzt.',
    },
    reached: {
      liveStreams: 'Weitere Encoder werden abgelehnt, bis ein Stream endet.',
      storageBytes:
        'Neue Uploads, Importe und Aufnahmen werden abgelehnt. Löschen Sie Assets oder bitten Sie den Betreiber um mehr.',
      viewerBytes:
        'Die Wiedergabe ist bis zum nächsten Monat gestoppt, oder bis der Betreiber das Kontingent erhöht.',
      uploadBytes: 'Das Kontingent ist ausgeschöpft.',
      renditions: 'Das Kontingent ist ausgeschöpft.',
    },
    uploadBytes: 'Hochgeladene und importierte Dateien dürfen bis zu {size} groß sein.',
    renditions:
      '{count, plural, =0 {Streams haben keine Qualitätsstufen.} one {Streams können # Qualitätsstufe haben.} other {Streams können bis zu # Qualitätsstufen haben.}}',
  },
};
