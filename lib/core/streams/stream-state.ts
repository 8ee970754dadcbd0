import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * States of a stream.
 * `starting`: a publisher is connected, nothing can be played yet; a loss needs no reconnect window, because no viewer
 * notices. `active`: the playlist can be fetched. `interrupted`: the connection was lost; the playlist stays for a while,
 * and the stream is still active. `ending`: the encoder ended cleanly; the ended playlist stays briefly, so that viewers
 * get the last segment, and the next publish starts a new one.
 *
 * `published`: an encoder was admitted. `playable`: the first segment is listed. `lost`: the connection broke.
 * `finished`: the encoder ended cleanly. `ended`: we disconnected it. `timed_out`: the time for a reconnect, or for the end
 * of the playlist, is over.
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

/** Facts that decide whether a stream may be published to. */
export interface PublishFacts {
  readonly parentId: string | null;
  readonly deletedAt: Date | null;
  readonly suspended: boolean;
  readonly accountSuspended: boolean;
}

export type PublishRefusal = 'deleted' | 'child_stream' | 'suspended' | 'account_suspended';

/** Why publishing to this stream is rejected. The client does not learn the reason. */
export function publishRefusal(facts: PublishFacts): PublishRefusal | null {
  if (facts.deletedAt) return 'deleted';
  if (facts.parentId) return 'child_stream';
  if (facts.suspended) return 'suspended';
  if (facts.accountSuspended) return 'account_suspended';
  return null;
}

/** Times that end every publish started before them. */
interface Cuts {
  readonly lastTerminatedAt: Date | null;
  readonly keyRotatedAt: Date | null;
}

/** Why a running publish must end: no longer allowed, terminated, or its key changed after it started. */
export function cutReason(
  facts: PublishFacts & Cuts,
  publishedAt: Date,
): PublishRefusal | 'terminated' | 'key_rotated' | null {
  const refusal = publishRefusal(facts);
  if (refusal) return refusal;
  if (facts.keyRotatedAt && facts.keyRotatedAt > publishedAt) return 'key_rotated';
  // The encoder may come back after "terminate": only what was published before it is cut.
  return facts.lastTerminatedAt && facts.lastTerminatedAt > publishedAt ? 'terminated' : null;
}
