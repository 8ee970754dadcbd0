import type { SessionEvent } from './session-state';

/**
 * A session ends in two steps. First the connection of its encoder ends (`PublishEndCause`), which starts the reconnect
 * window. Then one of `sessionEnds` ends the session. Segments that arrive later get a session of their own, which is
 * created as ended (lib/domain/sessions/late-recording.ts).
 */

/** What ends a publish. `endPublish` (lib/domain/streams/publishing/end-publish.ts) requires and logs one of these. */
export type PublishEndCause =
  /**
   * The live process ended the publish: the encoder finished, did not return within the idle timeout
   * (media-worker/live/session/idle-timeout.ts), or was disconnected by the service
   * (media-worker/live/session/stream-control.ts).
   */
  | 'encoder_gone'
  /** The stream has a node but no encoder, because its admission failed (media-worker/live/session/stream-control.ts). */
  | 'never_admitted'
  /** The node or process of the stream died (lib/domain/streams/publishing/release-node.ts). */
  | 'node_dead'
  /** A preview started on the same stream (lib/domain/streams/publishing/authorize-publish.ts). */
  | 'preview_started';

/** What ends a session, with the event of its state machine. Only lib/domain/sessions/end-session.ts writes it. */
export const sessionEnds = {
  /** The reconnect window is over: the session's job checks it (media-worker/recording/finish-session.ts). */
  window_over: 'clock',
  /** A publish after the window starts another session (lib/domain/sessions/start-or-resume.ts). */
  later_publish: 'replaced',
} as const satisfies Readonly<Record<string, SessionEvent['type']>>;
export type SessionEndCause = keyof typeof sessionEnds;
