import type { PublishEnd } from '@/media-worker/media/packets/publish';
import type { ProgramOutputOptions } from './program-output';

/** Callbacks with which a program reports to its session. */
export interface ProgramObserver {
  /** The first segment since an encoder connected is closed. */
  playable(): void;
  /** The complete list of issues of the input on air. */
  issues(issues: readonly string[]): void;
  /** An encoder is about to be disconnected because of its media. */
  onReject(message: string, address: string): void;
  /** Milliseconds since the last media of the encoder on air, about once a second and at the end. */
  onMedia(silentMs: number): void;
  /** The input on air changed, or an encoder connected or disconnected. */
  onChange(): void;
  /** The last encoder disconnected. */
  onEnd(reason: PublishEnd, silentMs: number): void;
}

export interface ProgramOptions extends Pick<
  ProgramOutputOptions,
  'names' | 'rendition' | 'clock' | 'log' | 'makeSlate'
> {
  readonly observer: ProgramObserver;
}
