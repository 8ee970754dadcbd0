/** Why an encoder may not publish. Except for `unknown_key`, its key is valid. */
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

/** A rejected publish: the message for the stream's owner. The encoder gets no reason. */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly message: string;
}

/** The result for a rejected publish. */
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

/** @param message the resource that this server lacks */
export const nodeFull = (message: string): Rejection => ({ reason: 'node_full', message });

/** @param message the current use and the limit */
export const quotaExceeded = (message: string): Rejection => ({ reason: 'quota_exceeded', message });

/** @param message the reason, with the text of an upload error */
export const unsupportedMedia = (message: string): Rejection => ({ reason: 'unsupported_media', message });

/** Reported on the stream with a similar key. */
export const nearKey: Rejection = {
  reason: 'unknown_key',
  message: 'an encoder tried a key that differs from this stream’s key by one character: copy the key again',
};

const passphraseRejection = (message: string): Rejection => ({ reason: 'wrong_passphrase', message });

/** The SRT encoder's encryption differs from the stream's setting. */
export const wrongPassphrase = {
  different: passphraseRejection(
    'the SRT passphrase of the encoder is not the one of this stream: copy it again',
  ),
  missing: passphraseRejection('the encoder does not encrypt: enter the SRT passphrase of this stream in it'),
  unexpected: passphraseRejection(
    'the encoder encrypts, but this stream has no SRT passphrase: set one, or remove it from the encoder',
  ),
} as const;

/** A WebRTC publisher was admitted, but its media never arrived. */
export const unreachablePublisher = (port: number): Rejection => ({
  reason: 'unreachable',
  message: `no WebRTC media arrived at UDP port ${port}: open this port, or use a network that does not block UDP`,
});

/** Properties that decide whether a stream accepts publishes. */
export interface PublishFacts {
  readonly parentId: string | null;
  readonly deletedAt: Date | null;
  readonly suspended: boolean;
  readonly teamSuspended: boolean;
}

/** The first two refusals have no stream that could report them. */
type StreamRefusal =
  | 'deleted'
  | 'child_stream'
  | Extract<RejectionReason, 'stream_suspended' | 'account_suspended'>;

/** Why publishing to this stream is rejected. The client does not get the reason. */
export function publishRefusal(facts: PublishFacts): StreamRefusal | null {
  if (facts.deletedAt) return 'deleted';
  if (facts.parentId) return 'child_stream';
  if (facts.suspended) return 'stream_suspended';
  if (facts.teamSuspended) return 'account_suspended';
  return null;
}

/** Times that end every publish that started earlier. */
interface CutTimes {
  readonly lastTerminatedAt: Date | null;
  readonly keyRotatedAt: Date | null;
}

/** Why a running publish must end: no longer allowed, terminated, or its key changed after the start. */
export function cutReason(
  facts: PublishFacts & CutTimes,
  publishedAt: Date,
): StreamRefusal | 'terminated' | 'key_rotated' | null {
  const refusal = publishRefusal(facts);
  if (refusal) return refusal;
  if (facts.keyRotatedAt && facts.keyRotatedAt > publishedAt) return 'key_rotated';
  // The encoder may reconnect after "terminate": only publishes from before it are cut.
  return facts.lastTerminatedAt && facts.lastTerminatedAt > publishedAt ? 'terminated' : null;
}

const suspensions = {
  stream_suspended: 'the stream is suspended',
  account_suspended: 'the team is suspended',
} as const;

/** Null if no stream can report the rejection. */
export const rejectionOf = (reason: StreamRefusal): Rejection | null =>
  reason === 'deleted' || reason === 'child_stream' ? null : { reason, message: suspensions[reason] };

/**
 * Silence of a publisher after which a second one with the same key replaces it. A phone that changed networks leaves a
 * dead connection behind; but a second encoder must not replace a working one.
 */
export const TAKEOVER_SILENCE_MS = 3_000;

/** Kinds of publishers: an encoder, or the built-in test pattern. */
export const publishSources = ['encoder', 'test-pattern'] as const;
export type PublishSource = (typeof publishSources)[number];

export interface Publisher {
  readonly source: PublishSource;
  /** Milliseconds since its last media. */
  readonly silentMs: number;
}

/**
 * `admit`: no current publisher. `replace`: end the current one with `replaced`, then admit. `refuse`: the current one is
 * active.
 */
type TakeoverDecision = 'admit' | 'replace' | 'refuse';

/** Decides between the current publisher and a second one with a valid stream key. An encoder replaces the test pattern. */
export function decideTakeover(present: Publisher | null, newSource: PublishSource): TakeoverDecision {
  if (present === null) return 'admit';
  if (present.source === 'test-pattern' && newSource === 'encoder') return 'replace';
  return present.silentMs >= TAKEOVER_SILENCE_MS ? 'replace' : 'refuse';
}

interface Encoders {
  readonly primary: Publisher | null;
  readonly standby: Publisher | null;
  /** Whether the stream accepts a second encoder. */
  readonly backup: boolean;
}

interface NewPublisher {
  readonly source: PublishSource;
  /** Whether the publish used the backup key. */
  readonly isBackup: boolean;
}

/**
 * The place of an encoder with a valid key. `publish`: it starts or continues the broadcast. `join`: it is the standby of a
 * running broadcast. `replaces`: the current encoder in this place is disconnected.
 */
export type EncoderPlace =
  | { readonly kind: 'publish' | 'join'; readonly role: 'primary' | 'standby'; readonly replaces: boolean }
  | { readonly kind: 'refuse' };

/** Chooses the place of an encoder in a broadcast that is running, or that waits for its encoder. */
export function decidePlace(
  { primary, standby, backup }: Encoders,
  newPublisher: NewPublisher,
): EncoderPlace {
  const { source, isBackup } = newPublisher;
  const asPrimary = decideTakeover(primary, source);
  const isTest = primary?.source === 'test-pattern';
  if (!isBackup && asPrimary !== 'refuse')
    return { kind: 'publish', role: 'primary', replaces: asPrimary === 'replace' };
  if (!backup || source === 'test-pattern') return { kind: 'refuse' };
  const asStandby = decideTakeover(standby, source);
  if (asStandby === 'refuse') return { kind: 'refuse' };
  // Without a primary encoder, a new encoder starts a new publish and replaces the test pattern.
  const kind = (primary === null || isTest) && standby === null ? 'publish' : 'join';
  return { kind, role: 'standby', replaces: asStandby === 'replace' };
}

/**
 * Answers of a node to another node that requests a stream it has. `yield`: the database row may name the other node from
 * now on. `wait`: the playlist shows its end, and the stream will be free shortly. `refuse`: its publisher is active.
 */
export const takeoverAnswers = ['yield', 'wait', 'refuse'] as const;
export type TakeoverAnswer = (typeof takeoverAnswers)[number];

interface HeldStream {
  readonly present: Publisher | null;
  /** Whether the session has ended for viewers. */
  readonly ending: boolean;
  /** Whether the node is draining. Encoders may then move to any other node. */
  readonly draining: boolean;
}

/** Decides about a publisher that connected to another node. */
export function answerTakeover(
  { present, ending, draining }: HeldStream,
  newSource: PublishSource,
): TakeoverAnswer {
  if (ending) return 'wait';
  if (draining && newSource === 'encoder') return 'yield';
  return decideTakeover(present, newSource) === 'refuse' ? 'refuse' : 'yield';
}
