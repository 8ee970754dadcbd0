import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * The states of a stream. `starting`: an encoder is connected, but nothing can be played; a loss of the connection
 * needs no reconnect window, because no viewer notices it. `active`: the playlist can be fetched. `interrupted`: the
 * connection was lost; the stream is still active, and its playlist stays for the reconnect window. `ending`: the
 * encoder ended the publish; the ended playlist stays briefly, so that viewers get the last segment. The next publish
 * starts another playlist.
 *
 * `published`: an encoder was admitted. `playable`: the first segment is listed. `lost`: the connection was lost.
 * `finished`: the encoder ended the publish. `ended`: the service disconnected the encoder. `timed_out`: the reconnect
 * window, or the time of the ended playlist, is over.
 */
export const streamMachine = defineMachine({
  states: ['idle', 'starting', 'active', 'interrupted', 'ending'],
  events: {
    published: { idle: 'starting', interrupted: 'active' },
    playable: { starting: ['active', 'stream.started'], active: 'active' },
    lost: { starting: 'idle', active: 'interrupted' },
    finished: { starting: 'idle', active: 'ending' },
    ended: {
      starting: 'idle',
      active: ['idle', 'stream.idle'],
      interrupted: ['idle', 'stream.idle'],
      ending: ['idle', 'stream.idle'],
    },
    timed_out: { interrupted: ['idle', 'stream.idle'], ending: ['idle', 'stream.idle'] },
  },
});
export type StreamState = StateOf<typeof streamMachine>;
export type StreamEvent = EventOf<typeof streamMachine>;
