import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import { KeyframeGate } from '@/media-worker/media/packets/keyframe-gate';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Packager } from '@/media-worker/media/packaging/packager';
import type { IssueCode, PackagerEvent } from '@/media-worker/media/packaging/packager-events';
import { PeriodFeed } from '@/media-worker/media/packaging/period-feed';
import type { Rendition } from '@/media-worker/media/packaging/rendition';

export interface ProgramPackageOptions {
  /** The rendition that receives the segments. */
  readonly rendition: Rendition;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a segment is closed. */
  readonly onSegmentClosed: () => void;
  /** Called when the input on air can be played. */
  readonly onPlayable: () => void;
  readonly onIssue: (message: string) => void;
  /** Called when an issue is resolved. */
  readonly onResolve: (message: string) => void;
  readonly onReject: (message: string) => void;
  /** Called when packaging failed and a new period has begun. */
  readonly onFailure: () => void;
}

/** Issues that are not reported here, because health-log.ts reports them with numbers and resolves them. */
const diagnosedIssues: ReadonlySet<IssueCode> = new Set(['long_gop', 'forced_cut', 'timestamp_jump']);

/** Packages the packets of a program into the window of its source. */
export class ProgramPackage {
  readonly #options: ProgramPackageOptions;
  readonly #feed: PeriodFeed;
  #packager: Packager;
  #gate = new KeyframeGate();
  #publishNumber: number | null = null;
  #isSlate = false;

  constructor(options: ProgramPackageOptions) {
    this.#options = options;
    const { rendition, log } = options;
    this.#feed = new PeriodFeed(rendition, (error) => log.error({ err: error }, 'period subscriber failed'));
    this.#packager = this.#open(null);
  }

  /** Sets the publish number for the following segments. */
  startPublish(publishNumber: number): void {
    if (this.#publishNumber === publishNumber) return;
    this.#publishNumber = publishNumber;
    this.#options.rendition.window.startPublish(publishNumber);
  }

  /** Closes the open segment; the next one begins after a discontinuity, with its own tracks. */
  startPeriod(): void {
    this.#packager.finish();
    this.#packager = this.#open(this.#packager);
    this.#gate = new KeyframeGate();
  }

  /** Begins or ends the slate at the next keyframe, so that no segment mixes slate and encoder. */
  setSlate(isSlate: boolean): void {
    this.#isSlate = isSlate;
    this.#packager.cutAtNextKeyframe();
  }

  push(packet: MediaPacket): void {
    if (!this.#gate.accepts(packet)) return;
    const { window } = this.#options.rendition;
    try {
      this.#packager.push(packet);
      // The first keyframe of an input closes a segment of the previous input.
      if (packet.kind === 'video' && packet.role === 'frame') window.isSlate = this.#isSlate;
    } catch (error) {
      this.#options.log.error({ err: error }, 'packaging failed');
      this.#packager = this.#open(this.#packager);
      this.#gate = new KeyframeGate();
      this.#options.onFailure();
    }
  }

  /** Ends the package. May be called twice. */
  finish(): void {
    this.#packager.finish();
  }

  #open(previous: Packager | null): Packager {
    const { rendition, clock } = this.#options;
    const { window } = rendition;
    return new Packager({
      emit: (event) => this.#onEvent(event),
      clock,
      startMs: window.mediaEndMs,
      ...(previous && { presentationEndMs: previous.presentationEndMs }),
      maxSegmentMs: () => window.maxSegmentMs,
      encoderInput: this.#feed,
    });
  }

  #onEvent(event: PackagerEvent): void {
    const { rendition, onSegmentClosed, onPlayable, onIssue, onResolve, onReject } = this.#options;
    switch (event.type) {
      case 'issue':
        if (!diagnosedIssues.has(event.code)) onIssue(event.message);
        break;
      case 'resolved':
        onResolve(event.message);
        break;
      case 'rejected':
        onReject(event.message);
        break;
      case 'init':
      case 'part':
        rendition.window.apply(event);
        onPlayable();
        break;
      case 'segment':
        rendition.window.apply(event);
        onSegmentClosed();
    }
  }
}
