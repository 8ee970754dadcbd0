export const nodes = {
  title: 'Nodes',
  description:
    'The processes that serve streams, viewers and background work. Drain a live node before you stop it.',
  what: 'The nodes',
  empty: {
    title: 'No nodes',
    text: 'No process for streams, viewers or background work has announced itself in the last day.',
  },
  columns: {
    node: 'Node',
    status: 'Status',
    streams: 'Streams',
    cpu: 'CPU headroom',
    disk: 'Free disk',
    version: 'Version',
  },
  roles: { live: 'Live', origin: 'Origin', jobs: 'Jobs' },
  states: { online: 'Online', draining: 'Draining', unresponsive: 'Not responding' },
  since: { draining: 'since <time></time>', unresponsive: 'last seen <time></time>' },
  phone: {
    streams: '{count, plural, one {# stream} other {# streams}}',
    cpu: '{ratio} CPU headroom',
    disk: '{size} free',
  },
  menu: {
    of: 'the node {name}',
    copyId: 'Copy node ID',
    copyDrain: 'Copy drain command',
    copiedId: 'Node ID copied',
    copiedDrain: 'Drain command copied',
    blocked: 'Your browser blocked copying',
  },
} as const;
