import type { Translated } from '../catalogue';

export const nodes: Translated<'nodes'> = {
  title: 'Knoten',
  description:
    'Die Prozesse für Streams, Zuschauer und Hintergrundaufgaben. Leeren Sie einen Live-Knoten, bevor Sie ihn beenden.',
  theNodes: 'Die Knoten',
  empty: {
    title: 'Keine Knoten',
    text: 'Am letzten Tag hat sich kein Prozess für Streams, Zuschauer oder Hintergrundaufgaben gemeldet.',
  },
  columns: {
    node: 'Knoten',
    status: 'Status',
    streams: 'Streams',
    room: 'Platz für',
    cpu: 'CPU-Reserve',
    disk: 'Freier Speicher',
    version: 'Version',
  },
  roles: { live: 'Live', origin: 'Origin', jobs: 'Aufgaben' },
  states: { online: 'Online', draining: 'Wird geleert', unresponsive: 'Antwortet nicht' },
  full: 'Voll',
  room: '{count, plural, one {# Stream} other {# Streams}}',
  since: { draining: 'seit <time></time>', unresponsive: 'zuletzt gesehen <time></time>' },
  phone: {
    streams: '{count, plural, one {# Stream} other {# Streams}}',
    room: 'Platz für {count, plural, one {# weiteren Stream} other {# weitere Streams}}',
    cpu: '{ratio} CPU-Reserve',
    disk: '{size} frei',
  },
  menu: {
    of: 'den Knoten {name}',
    copyId: 'Knoten-ID kopieren',
    drain: 'Leeren…',
    putBack: 'Wieder in Betrieb nehmen',
    copiedId: 'Knoten-ID kopiert',
    isBack: 'Der Knoten nimmt innerhalb von zwei Sekunden wieder Streams an',
    blocked: 'Der Browser hat das Kopieren verhindert',
  },
  drainNode: {
    title: '{name} leeren?',
    whatHappens:
      'Alle Live-Prozesse dieses Rechners lehnen neue Streams ab, geben den laufenden DRAIN_SECONDS Zeit und trennen dann ihre Encoder.',
    othersTake: 'Encoder, die sich mit einem anderen Rechner verbinden, setzen ihre Streams fort.',
    noOther: 'Zurzeit nimmt kein anderer Rechner Streams an, deshalb enden alle Streams.',
    confirm: 'Leeren',
    done: 'Der Rechner wird geleert',
  },
};
