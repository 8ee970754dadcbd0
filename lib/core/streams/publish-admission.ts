/** Why an encoder may not publish; its key is valid, but for `unknown_key`. */
export const rejectionReasons = [
  'stream_suspended',
  'account_suspended',
  'already_live',
  'unsupported_media',
  'node_draining',
  'node_full',
  'quota_exceeded',
  'unknown_key',
  'wrong_passphrase',
  'unreachable',
] as const;
type RejectionReason = (typeof rejectionReasons)[number];

/** The message for the stream's owner; the encoder gets no reason. */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly message: string;
}

/** The answer to a publish that is rejected. */
export interface Rejected {
  readonly rejected: Rejection;
}

export const alreadyLive: Rejection = {
  reason: 'already_live',
  message: 'another encoder is publishing to this stream',
};

export const nodeDraining: Rejection = {
  reason: 'node_draining',
  message: 'the server is going out of service: publish again to reach another one',
};

/** @param message what this server has too little of */
export const nodeFull = (message: string): Rejection => ({ reason: 'node_full', message });

/** @param message the use and the limit */
export const quotaExceeded = (message: string): Rejection => ({ reason: 'quota_exceeded', message });

/** @param message the reason, in the same words as for an upload */
export const unsupportedMedia = (message: string): Rejection => ({ reason: 'unsupported_media', message });

/** Told of the stream with a similar key. */
export const nearKey: Rejection = {
  reason: 'unknown_key',
  message: 'an encoder tried a key that differs from this stream’s key by one character: copy the key again',
};

const passphraseRejection = (message: string): Rejection => ({ reason: 'wrong_passphrase', message });

/** The encryption of an SRT encoder is not what the stream asks for. */
export const wrongPassphrase = {
  different: passphraseRejection(
    'the SRT passphrase of the encoder is not the one of this stream: copy it again',
  ),
  missing: passphraseRejection('the encoder does not encrypt: enter the SRT passphrase of this stream in it'),
  unexpected: passphraseRejection(
    'the encoder encrypts, but this stream has no SRT passphrase: set one, or remove it from the encoder',
  ),
} as const;

/** A WebRTC publisher was admitted, and its media never arrived. */
export const unreachablePublisher = (port: number): Rejection => ({
  reason: 'unreachable',
  message: `no WebRTC media arrived at UDP port ${port}: open this port, or use a network that does not block UDP`,
});

/** Facts that decide whether a stream may be published to. */
export interface PublishFacts {
  readonly parentId: string | null;
  readonly deletedAt: Date | null;
  readonly suspended: boolean;
  readonly accountSuspended: boolean;
}

/** The first two refusals name no stream that could report them. */
type StreamRefusal =
  | 'deleted'
  | 'child_stream'
  | Extract<RejectionReason, 'stream_suspended' | 'account_suspended'>;

/** Why publishing to this stream is rejected. The client does not learn the reason. */
export function publishRefusal(facts: PublishFacts): StreamRefusal | null {
  if (facts.deletedAt) return 'deleted';
  if (facts.parentId) return 'child_stream';
  if (facts.suspended) return 'stream_suspended';
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
): StreamRefusal | 'terminated' | 'key_rotated' | null {
  const refusal = publishRefusal(facts);
  if (refusal) return refusal;
  if (facts.keyRotatedAt && facts.keyRotatedAt > publishedAt) return 'key_rotated';
  // The encoder may come back after "terminate": only what was published before it is cut.
  return facts.lastTerminatedAt && facts.lastTerminatedAt > publishedAt ? 'terminated' : null;
}

const suspensions = {
  stream_suspended: 'the stream is suspended',
  account_suspended: 'the team is suspended',
} as const;

/** Null if there is no stream to report it on. */
export const rejectionOf = (reason: StreamRefusal): Rejection | null =>
  reason === 'deleted' || reason === 'child_stream' ? null : { reason, message: suspensions[reason] };

/**
 * How long a publisher may send no media before a newcomer with the same key takes its place. A phone that changed
 * networks leaves a dead connection behind; a second encoder must not replace a working first one.
 */
export const TAKEOVER_SILENCE_MS = 3_000;

/** Who publishes: an encoder, or the built-in test pattern. */
export const publishSources = ['encoder', 'test-pattern'] as const;
export type PublishSource = (typeof publishSources)[number];

export interface Publisher {
  readonly source: PublishSource;
  /** Milliseconds since its last media. */
  readonly silentMs: number;
}

/** `admit`: no publisher. `replace`: end the current one with `replaced`, then admit. `refuse`: it is active. */
type TakeoverDecision = 'admit' | 'replace' | 'refuse';

/** Decides between the current publisher and a second one with a valid stream key. An encoder replaces the test pattern. */
export function decideTakeover(present: Publisher | null, newcomer: PublishSource): TakeoverDecision {
  if (present === null) return 'admit';
  if (present.source === 'test-pattern' && newcomer === 'encoder') return 'replace';
  return present.silentMs >= TAKEOVER_SILENCE_MS ? 'replace' : 'refuse';
}

interface Encoders {
  readonly primary: Publisher | null;
  readonly standby: Publisher | null;
  /** The stream takes a second encoder. */
  readonly backup: boolean;
}

interface Newcomer {
  readonly source: PublishSource;
  /** Whether the publish used the backup key. */
  readonly isBackup: boolean;
}

/**
 * What becomes of another encoder with a valid key. `publish`: it begins or goes on with the broadcast. `join`: it stands by in the one
 * that is going on. `replaces`: the encoder in its place is disconnected.
 */
export type EncoderPlace =
  | { readonly kind: 'publish' | 'join'; readonly role: 'primary' | 'standby'; readonly replaces: boolean }
  | { readonly kind: 'refuse' };

/** Decides where an encoder belongs in a broadcast that is going on, or that waits for its encoder. */
export function decidePlace({ primary, standby, backup }: Encoders, newcomer: Newcomer): EncoderPlace {
  const { source, isBackup } = newcomer;
  const asPrimary = decideTakeover(primary, source);
  const isTest = primary?.source === 'test-pattern';
  if (!isBackup && asPrimary !== 'refuse')
    return { kind: 'publish', role: 'primary', replaces: asPrimary === 'replace' };
  if (!backup || source === 'test-pattern') return { kind: 'refuse' };
  const asStandby = decideTakeover(standby, source);
  if (asStandby === 'refuse') return { kind: 'refuse' };
  // Without a primary encoder, a newcomer starts a new publish. The test pattern gives way to it.
  const kind = (primary === null || isTest) && standby === null ? 'publish' : 'join';
  return { kind, role: 'standby', replaces: asStandby === 'replace' };
}

/**
 * What a node answers when another one asks for a stream that it has. `yield`: the row may name the other node from now
 * on. `wait`: the playlist shows its end, and the stream is free in a moment. `refuse`: its publisher is active.
 */
export const takeoverAnswers = ['yield', 'wait', 'refuse'] as const;
export type TakeoverAnswer = (typeof takeoverAnswers)[number];

interface Held {
  readonly present: Publisher | null;
  /** Whether the session has ended for viewers. */
  readonly ending: boolean;
  /** Whether the node is draining. Encoders may then move to any other node. */
  readonly draining: boolean;
}

/** Decides about a newcomer at another node. */
export function answerTakeover({ present, ending, draining }: Held, newcomer: PublishSource): TakeoverAnswer {
  if (ending) return 'wait';
  if (draining && newcomer === 'encoder') return 'yield';
  return decideTakeover(present, newcomer) === 'refuse' ? 'refuse' : 'yield';
}
