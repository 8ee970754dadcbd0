import type { PublishEnd } from '@/media-worker/media/packets/publish';
import type { ProgramOutputOptions } from './program-output';

/** Callbacks with which a program reports to its session. */
export interface ProgramObserver {
  /** Called when the first segment since an encoder connected is closed. */
  onFirstSegment(): void;
  /** Called with the complete list of issues of the input on air. */
  onIssues(issues: readonly string[]): void;
  /**
   * Called when an encoder is about to be disconnected because of its media.
   * @param address IP address of the encoder
   */
  onReject(message: string, address: string): void;
  /**
   * Called with the milliseconds since the last media of the encoder on air, about once a second and when it
   * disconnects.
   */
  onMedia(silentMs: number): void;
  /** Called when the input on air changed, or an encoder connected or disconnected. */
  onChange(): void;
  /** Called when the last encoder disconnected. */
  onEnd(reason: PublishEnd, silentMs: number): void;
}

export interface ProgramOptions extends Pick<
  ProgramOutputOptions,
  'ids' | 'rendition' | 'clock' | 'log' | 'makeSlate'
> {
  readonly observer: ProgramObserver;
}
