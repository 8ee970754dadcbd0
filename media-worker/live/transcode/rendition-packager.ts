import {
  CodecDataError,
  codingOf,
  parseAvcConfig,
  type AudioConfig,
  type VideoConfig,
} from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { type Cut, type CutInput, decideCut } from '@/media-worker/media/packaging/packager-cut';
import { PACKAGER_LIMITS } from '@/media-worker/media/packaging/packager-limits';
import { Period } from '@/media-worker/media/packaging/packager-period';
import type { LiveWindow } from '@/media-worker/media/packaging/window';
import type { WindowPosition } from '@/media-worker/media/packaging/window-segment';

export interface RenditionPackagerOptions {
  /** The window that receives the segments. */
  readonly window: LiveWindow;
  /** The window of the source, whose segment boundaries the rendition follows. */
  readonly leader: LiveWindow;
  /** Audio of the source, which the rendition shares. */
  readonly audio: AudioConfig | undefined;
  /** The first free segment number: smaller ones were used for other media. */
  readonly fromMsn: number;
}

/** A keyframe this near to a segment boundary of the source belongs to it, because timestamps are rounded. */
export const BOUNDARY_TOLERANCE_MS = 20;
/** A rendition that begins this far into a segment still includes the whole segment. */
export const START_TOLERANCE_MS = 200;
/** Limits without a maximum segment length, because the source determines the length. */
const LIMITS = { ...PACKAGER_LIMITS, maxSegmentMs: Infinity, maxSegmentBytes: Infinity };

/** The segment of the source that a keyframe of a rendition belongs to. */
export function positionOfKey(leader: LiveWindow, key: MediaPacket): WindowPosition | undefined {
  return leader.positionAt(key.dts + BOUNDARY_TOLERANCE_MS);
}

/**
 * Packages a rendition in step with the source, with the same segments and numbers. It begins at a segment of the source, and
 * starts again after a gap of a segment or more in its keyframes. Packets are timed on the media timeline.
 */
export class RenditionPackager {
  readonly #options: RenditionPackagerOptions;
  #video: VideoConfig | undefined;
  #period: Period | undefined;
  #position: WindowPosition | undefined;

  constructor(options: RenditionPackagerOptions) {
    this.#options = options;
  }

  /** Number of the newest segment; undefined before the first. */
  get lastMsn(): number | undefined {
    return this.#position?.msn;
  }

  push(packet: MediaPacket): void {
    if (packet.role === 'config') this.#configure(packet);
    else if (packet.kind === 'video' && packet.key) this.#pushKey(this.#addParameterSets(packet));
    else this.#period?.push(packet);
  }

  /** Closes the open segment as the last one. May be called twice. */
  finish(): void {
    this.#period?.finish();
    this.#period = undefined;
  }

  #configure(packet: MediaPacket): void {
    if (packet.kind === 'audio' || this.#video?.record.equals(packet.payload)) return;
    this.finish();
    try {
      this.#video = parseAvcConfig(packet.payload);
    } catch (error) {
      if (!(error instanceof CodecDataError)) throw error;
      this.#video = undefined;
    }
  }

  /** Keyframes carry their parameter sets, for readers that keep the configuration of an earlier period (see `Packager`). */
  #addParameterSets(packet: MediaPacket): MediaPacket {
    const video = this.#video;
    if (packet.kind !== 'video' || !video) return packet;
    return { ...packet, payload: codingOf(video.coding).addParameterSets(packet.payload, video.record) };
  }

  #pushKey(packet: MediaPacket): void {
    const position = positionOfKey(this.#options.leader, packet);
    if (this.#position && position && position.msn > this.#position.msn + 1) this.finish();
    if (!this.#period && position) this.#start(packet, position);
    else this.#period?.push(packet);
  }

  #start(packet: MediaPacket, position: WindowPosition): void {
    const { window, leader, audio, fromMsn } = this.#options;
    if (!this.#video || position.msn < fromMsn || packet.dts - position.startMs > START_TOLERANCE_MS) return;
    window.align(position, leader);
    this.#position = position;
    const startMs = Math.min(packet.dts, packet.pts);
    const periodStart = {
      tracks: { video: this.#video, audio },
      firstPacket: packet,
      startMs,
      wallClockMs: startMs + position.period.wallClockOffsetMs,
      decideCut: (ms: number, input: CutInput) => this.#decideCut(ms, input),
    };
    this.#period = new Period(periodStart, LIMITS, (event) => {
      if (event.type === 'init' || event.type === 'part' || event.type === 'segment') window.apply(event);
    });
    this.#period.push(packet);
  }

  #decideCut(ms: number, input: CutInput): Cut {
    const next = this.#options.leader.positionAt(ms + BOUNDARY_TOLERANCE_MS);
    if (input.sincePartMs > 0 && this.#position && next && next.msn > this.#position.msn) {
      // If the source had to cut without a keyframe, every rendition cuts at the same position.
      const cutKind = input.canStartSegment ? 'segment' : this.#isForced(next.msn) ? 'forced' : undefined;
      if (cutKind) this.#position = next;
      if (cutKind) return cutKind;
    }
    return decideCut({ ...input, canStartSegment: false }, LIMITS);
  }

  #isForced(msn: number): boolean {
    const { leader } = this.#options;
    return leader.findPart(msn, 0)?.independent === false;
  }
}
