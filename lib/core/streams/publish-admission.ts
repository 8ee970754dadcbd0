/** Why an encoder may not publish. Its stream key is valid, except for `unknown_key`. */
export const publishRejectionReasons = [
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
type PublishRejectionReason = (typeof publishRejectionReasons)[number];

/** A rejected publish: the message for the stream's owner. The encoder gets no reason. */
export interface PublishRejection {
  readonly reason: PublishRejectionReason;
  readonly message: string;
}

/** The result for a rejected publish. */
export interface Rejected {
  readonly rejected: PublishRejection;
}

export const alreadyLiveRejection: PublishRejection = {
  reason: 'already_live',
  message: 'another encoder is publishing to this stream',
};

export const nodeDrainingRejection: PublishRejection = {
  reason: 'node_draining',
  message: 'the server is going out of service: publish again to reach another one',
};

/**
 * The rejection by a node that can't take more streams.
 * @param message message that names the resource the node lacks
 */
export const nodeFullRejection = (message: string): PublishRejection => ({ reason: 'node_full', message });

/**
 * The rejection because of a quota.
 * @param message message with the current usage and the limit
 */
export const quotaPublishRejection = (message: string): PublishRejection => ({
  reason: 'quota_exceeded',
  message,
});

/**
 * The rejection because of the media.
 * @param message error message, which is the same as for an upload
 */
export const unsupportedMediaRejection = (message: string): PublishRejection => ({
  reason: 'unsupported_media',
  message,
});

/** The rejection of an encoder with an unknown key, for the stream whose key is similar. */
export const similarKeyRejection: PublishRejection = {
  reason: 'unknown_key',
  message: 'an encoder tried a key that differs from this stream’s key by one character: copy the key again',
};

const passphraseRejection = (message: string): PublishRejection => ({ reason: 'wrong_passphrase', message });

/** Rejections of SRT encoders whose encryption differs from the setting of the stream. */
export const passphraseRejections = {
  different: passphraseRejection(
    'the SRT passphrase of the encoder is not the one of this stream: copy it again',
  ),
  missing: passphraseRejection('the encoder does not encrypt: enter the SRT passphrase of this stream in it'),
  unexpected: passphraseRejection(
    'the encoder encrypts, but this stream has no SRT passphrase: set one, or remove it from the encoder',
  ),
} as const;

/** The rejection of a WebRTC publisher that was admitted, but whose media never arrived. */
export const unreachableRejection = (port: number): PublishRejection => ({
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

/** Why publishing to a stream is rejected. `deleted` and `child_stream` are not reported on a stream. */
type StreamRejectionReason =
  | 'deleted'
  | 'child_stream'
  | Extract<PublishRejectionReason, 'stream_suspended' | 'account_suspended'>;

/** Why publishing to a stream is rejected; null if it is not. The encoder does not get the reason. */
export function streamRejectionReason(facts: PublishFacts): StreamRejectionReason | null {
  if (facts.deletedAt) return 'deleted';
  if (facts.parentId) return 'child_stream';
  if (facts.suspended) return 'stream_suspended';
  if (facts.teamSuspended) return 'account_suspended';
  return null;
}

/** Times at which every running publish of a stream had to end. */
interface CutTimes {
  readonly lastTerminatedAt: Date | null;
  readonly keyRotatedAt: Date | null;
}

/**
 * Why a running publish must end; null if it may continue. The reason is that publishing is not allowed anymore, or that the
 * stream was terminated or its key was changed after the start of the publish.
 */
export function cutReason(
  facts: PublishFacts & CutTimes,
  publishedAt: Date,
): StreamRejectionReason | 'terminated' | 'key_rotated' | null {
  const rejection = streamRejectionReason(facts);
  if (rejection) return rejection;
  if (facts.keyRotatedAt && facts.keyRotatedAt > publishedAt) return 'key_rotated';
  // The encoder may reconnect after the stream was terminated, so only publishes that started earlier end.
  return facts.lastTerminatedAt && facts.lastTerminatedAt > publishedAt ? 'terminated' : null;
}

const suspensionMessages = {
  stream_suspended: 'the stream is suspended',
  account_suspended: 'the team is suspended',
} as const;

/** The issue that reports a rejection on its stream; null if it is not reported. */
export const streamRejection = (reason: StreamRejectionReason): PublishRejection | null =>
  reason === 'deleted' || reason === 'child_stream' ? null : { reason, message: suspensionMessages[reason] };

/**
 * Silence of a publisher, in milliseconds, after which a second one with the same key replaces it. A phone that changes
 * networks leaves a dead connection behind, but a second encoder must not replace a working one.
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
 * A decision about a second publisher. `admit`: there is no other publisher. `replace`: the current publisher is
 * disconnected. `reject`: the current publisher is active.
 */
type TakeoverDecision = 'admit' | 'replace' | 'reject';

/**
 * Decides between the current publisher and a second publisher with a valid stream key. An encoder always replaces the test
 * pattern.
 */
export function decideTakeover(current: Publisher | null, newSource: PublishSource): TakeoverDecision {
  if (current === null) return 'admit';
  if (current.source === 'test-pattern' && newSource === 'encoder') return 'replace';
  return current.silentMs >= TAKEOVER_SILENCE_MS ? 'replace' : 'reject';
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
 * The role of an encoder with a valid key. `publish`: the encoder starts or continues the session. `join`: it joins a
 * running session as its standby encoder. `replaces`: whether the current encoder with this role is disconnected.
 * `reject`: the encoder is not admitted.
 */
export type EncoderAssignment =
  | { readonly kind: 'publish' | 'join'; readonly role: 'primary' | 'standby'; readonly replaces: boolean }
  | { readonly kind: 'reject' };

/** Assigns a role to an encoder of a session that is running, or that waits for its encoder. */
export function assignEncoder(
  { primary, standby, backup }: Encoders,
  newPublisher: NewPublisher,
): EncoderAssignment {
  const { source, isBackup } = newPublisher;
  const primaryDecision = decideTakeover(primary, source);
  const isTestPattern = primary?.source === 'test-pattern';
  if (!isBackup && primaryDecision !== 'reject')
    return { kind: 'publish', role: 'primary', replaces: primaryDecision === 'replace' };
  if (!backup || source === 'test-pattern') return { kind: 'reject' };
  const standbyDecision = decideTakeover(standby, source);
  if (standbyDecision === 'reject') return { kind: 'reject' };
  // Without a primary encoder, a new encoder starts a new publish and replaces the test pattern.
  const kind = (primary === null || isTestPattern) && standby === null ? 'publish' : 'join';
  return { kind, role: 'standby', replaces: standbyDecision === 'replace' };
}

/**
 * Answers of a node that has a stream to a node that wants to take it over. `yield`: the other node may take the stream.
 * `wait`: the playlist shows its end, so the stream will be free shortly. `refuse`: the publisher on this node is active.
 */
export const takeoverAnswers = ['yield', 'wait', 'refuse'] as const;
export type TakeoverAnswer = (typeof takeoverAnswers)[number];

interface HeldStream {
  readonly publisher: Publisher | null;
  /** Whether the session has ended for viewers. */
  readonly ending: boolean;
  /** Whether the node is draining, so that encoders may move to any other node. */
  readonly draining: boolean;
}

/** Decides whether another node, to which a publisher connected, may take over the stream. */
export function answerTakeover(
  { publisher, ending, draining }: HeldStream,
  newSource: PublishSource,
): TakeoverAnswer {
  if (ending) return 'wait';
  if (draining && newSource === 'encoder') return 'yield';
  return decideTakeover(publisher, newSource) === 'reject' ? 'refuse' : 'yield';
}
