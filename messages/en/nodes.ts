export const nodes = {
  title: 'Nodes',
  description:
    'The processes that serve streams, viewers and background work. Drain a live node before you stop it.',
  theNodes: 'The nodes',
  empty: {
    title: 'No nodes',
    text: 'No process for streams, viewers or background work has reported in the last day.',
  },
  columns: {
    node: 'Node',
    status: 'Status',
    streams: 'Streams',
    room: 'Room for',
    cpu: 'CPU headroom',
    disk: 'Free disk',
    version: 'Version',
  },
  roles: { live: 'Live', origin: 'Origin', jobs: 'Jobs' },
  states: { online: 'Online', draining: 'Draining', unresponsive: 'Not responding' },
  full: 'Full',
  room: '{count, plural, one {# stream} other {# streams}}',
  since: { draining: 'since <time></time>', unresponsive: 'last seen <time></time>' },
  phone: {
    streams: '{count, plural, one {# stream} other {# streams}}',
    room: 'room for {count, plural, one {# more stream} other {# more streams}}',
    cpu: '{ratio} CPU headroom',
    disk: '{size} free',
  },
  menu: {
    of: 'the node {name}',
    copyId: 'Copy node ID',
    drain: 'Drain…',
    putBack: 'Put back into service',
    copiedId: 'Node ID copied',
    isBack: 'The node accepts new publishes within two seconds',
    blocked: 'Your browser blocked copying',
  },
  drainNode: {
    title: 'Drain {name}?',
    whatHappens:
      'All live processes of this machine reject new publishes, give their streams DRAIN_SECONDS to end, and then disconnect their encoders.',
    othersTake: 'Encoders that reconnect to another machine continue their streams.',
    noOther: 'No other machine accepts streams now, so all streams end.',
    confirm: 'Drain',
    done: 'The machine is being drained',
  },
} as const;
