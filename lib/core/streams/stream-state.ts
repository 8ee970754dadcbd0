import type { StreamEventName } from '@/lib/core/webhooks/events';

/**
 * States of a stream.
 * `starting`: a publisher is connected, nothing can be played yet. `active`: the playlist can be fetched.
 * `interrupted`: the connection was lost; the playlist stays for a while, and the stream is still active.
 * `ending`: the encoder ended cleanly; the ended playlist stays briefly, so that viewers get the last segment.
 */
export const streamStates = ['idle', 'starting', 'active', 'interrupted', 'ending'] as const;
export type StreamState = (typeof streamStates)[number];

/**
 * `published`: an encoder was admitted. `playable`: the first segment is listed. `lost`: the connection broke.
 * `finished`: the encoder ended cleanly. `ended`: we disconnected it. `timed_out`: the time for a reconnect, or for the end
 * of the playlist, is over.
 */
export const streamEvents = ['published', 'playable', 'lost', 'finished', 'ended', 'timed_out'] as const;
export type StreamEvent = (typeof streamEvents)[number];

export type StreamTransition =
  | { readonly state: StreamState; readonly emits: StreamEventName | null }
  | { readonly refused: 'already_publishing' | 'not_publishing' | 'not_interrupted' | 'ending' };

const to = (state: StreamState, emits: StreamEventName | null = null): StreamTransition => ({ state, emits });
const alreadyPublishing: StreamTransition = { refused: 'already_publishing' };
const notPublishing: StreamTransition = { refused: 'not_publishing' };
const notInterrupted: StreamTransition = { refused: 'not_interrupted' };
const ending: StreamTransition = { refused: 'ending' };

const transitions: Readonly<Record<StreamState, Readonly<Record<StreamEvent, StreamTransition>>>> = {
  idle: {
    published: to('starting'),
    playable: notPublishing,
    lost: notPublishing,
    finished: notPublishing,
    ended: notPublishing,
    timed_out: notInterrupted,
  },
  // Nothing was playable yet, so a loss needs no reconnect window: no viewer notices.
  starting: {
    published: alreadyPublishing,
    playable: to('active', 'stream.started'),
    lost: to('idle'),
    finished: to('idle'),
    ended: to('idle'),
    timed_out: notInterrupted,
  },
  active: {
    published: alreadyPublishing,
    playable: to('active'),
    lost: to('interrupted'),
    finished: to('ending'),
    ended: to('idle', 'stream.idle'),
    timed_out: notInterrupted,
  },
  interrupted: {
    published: to('active'),
    playable: notPublishing,
    lost: notPublishing,
    finished: notPublishing,
    ended: to('idle', 'stream.idle'),
    timed_out: to('idle', 'stream.idle'),
  },
  // Players have seen the end of the playlist: the next publish starts a new one.
  ending: {
    published: ending,
    playable: notPublishing,
    lost: notPublishing,
    finished: notPublishing,
    ended: to('idle', 'stream.idle'),
    timed_out: to('idle', 'stream.idle'),
  },
};

/** The next state after `event` in `state`, and the webhook event it emits. */
export function nextStreamState(state: StreamState, event: StreamEvent): StreamTransition {
  return transitions[state][event];
}

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
