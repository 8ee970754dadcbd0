import type { Tracks } from '@/media-worker/media/cmaf/codec-config';
import { buildInitSegment } from '@/media-worker/media/cmaf/init-segment';
import { buildMediaPart } from '@/media-worker/media/cmaf/media-part';
import type { AudioPacket, MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { type Cut, decideCut } from './packager-cut';
import type { PackagerLimits } from './packager-limits';
import type { EmitPackagerEvent, IssueCode } from './packager-events';
import { AudioQueue, VideoQueue } from './packager-samples';
import type { PeriodStart } from './period-start';
import { FrameHold, UsualLead } from './frame-hold';
import { Timeline } from './timeline';

/** How late a video frame may be, compared with audio. */
const LATE_MS = 250;

/** The media between two discontinuities: one init segment, one timeline. Emits the init segment first, then parts. */
export class Period {
  readonly tracks: Tracks;
  readonly #limits: PackagerLimits;
  readonly #emit: EmitPackagerEvent;
  readonly #onFrame: PeriodStart['onFrame'];
  readonly #decideCut: NonNullable<PeriodStart['decideCut']>;
  readonly #maxSegmentMs: () => number;
  readonly #timeline: Timeline;
  readonly #video: VideoQueue | undefined;
  readonly #audio: AudioQueue | undefined;
  /** Absent where another period decides the cuts and already holds the last frame. */
  readonly #frameHold: FrameHold | undefined;
  readonly #usualLead = new UsualLead();
  readonly #reportedIssues = new Set<IssueCode>();
  #sequence = 0;
  #lastKeyMs: number;
  #partStartMs: number;
  #segmentStartMs: number;
  #segmentBytes = 0;
  #isSegmentIndependent: boolean | undefined; // undefined before the first part of the segment
  #isCutRequested = false;
  /** Until when the last frame is held, ms; undefined while frames arrive. */
  #heldUntilMs: number | undefined;
  #endMs: number;

  constructor(start: PeriodStart, limits: PackagerLimits, emit: EmitPackagerEvent) {
    const { tracks, startMs, wallClockMs } = start;
    this.tracks = tracks;
    this.#limits = limits;
    this.#emit = emit;
    this.#onFrame = start.onFrame;
    this.#frameHold = start.decideCut ? undefined : new FrameHold();
    this.#decideCut = start.decideCut ?? ((_ms, input) => decideCut(input, limits));
    this.#maxSegmentMs = () => Math.min(limits.maxSegmentMs, start.maxSegmentMs?.() ?? Infinity);
    this.#timeline = new Timeline(start.firstPacket, startMs);
    this.#video = tracks.video && new VideoQueue();
    this.#audio = tracks.audio && new AudioQueue(tracks.audio.timescale, tracks.audio.samplesPerFrame);
    this.#lastKeyMs = this.#partStartMs = this.#segmentStartMs = this.#endMs = startMs;
    emit({ type: 'init', data: buildInitSegment(tracks), tracks, startMs, wallClockMs });
  }

  /** End of the longer track, and the latest presentation time plus one frame; ms on the media timeline. */
  get ends(): { readonly endMs: number; readonly presentationEndMs: number } {
    return { endMs: this.#endMs, presentationEndMs: this.#video?.presentationEndMs ?? -Infinity };
  }

  /** Adds a packet; false if it belongs to another timeline, so that the caller must end the period. */
  push(packet: MediaPacket): boolean {
    const placement = this.#timeline.place(packet);
    if (placement.kind === 'jump') return false;
    if (placement.kind === 'early') return true;
    if (placement.kind === 'drop') this.#reportDroppedAudio();
    else if (packet.kind === 'video') this.#pushVideo(packet, placement.dts, placement.pts);
    else this.#pushAudio(packet, placement.dts);
    return true;
  }

  /** Ends the segment before the next frame that can begin one. */
  cutAtNextKeyframe(): void {
    this.#isCutRequested = true;
  }

  /** Emits the remaining frames as the last part and segment. */
  finish(): void {
    const audioMs = this.#audio?.endMs ?? 0;
    const videoMs = this.#heldUntilMs === undefined ? (this.#video?.endMs ?? 0) : audioMs;
    this.#endMs = Math.max(this.#endMs, videoMs, audioMs);
    this.#video?.finishHeld(videoMs);
    this.#closePart(Math.max(this.#video ? videoMs : audioMs, this.#partStartMs), true);
    this.#closeSegment();
  }

  #pushVideo(packet: VideoPacket, stampedMs: number, pts: number): void {
    const video = this.#video;
    if (!video) return;
    if (this.#frameHold) this.#holdThrough(video, this.#frameHold, stampedMs);
    if (this.#frameHold?.addFrame(packet) === false) return;
    if (this.#audio && this.#audio.count > 0) this.#usualLead.add(this.#audio.endMs - stampedMs, stampedMs);
    const dts = Math.max(stampedMs, video.nextMs);
    this.#heldUntilMs = undefined;
    video.finishHeld(dts);
    if (packet.key) this.#lastKeyMs = dts;
    else if (dts - this.#lastKeyMs > this.#limits.longGopMs) this.#reportLongGop();
    this.#cutBefore(dts, packet.key, video.frameMs);
    this.#addFrame(video, { originalDts: packet.dts, ...packet, dts, pts: pts + dts - stampedMs });
  }

  #addFrame(video: VideoQueue, frame: VideoPacket): void {
    video.hold(frame);
    this.#onFrame?.(frame);
  }

  #pushAudio(packet: AudioPacket, ms: number): void {
    const audio = this.#audio;
    if (!audio) return;
    const start = audio.push(ms, packet.payload);
    if (start === undefined) {
      this.#reportDroppedAudio();
      return;
    }
    // Audio decides the cuts only when there is no video.
    if (this.#video) this.#cutWithoutVideo(this.#video, start, audio.frameMs);
    else this.#cutBefore(start, true, audio.frameMs);
    this.#onFrame?.({ ...packet, dts: start, pts: start });
  }

  #cutWithoutVideo(video: VideoQueue, audioMs: number, frameMs: number): void {
    if (this.#usualLead.isUnknown && video.lastMs !== undefined)
      this.#usualLead.add(audioMs - video.lastMs, video.lastMs);
    const ms = audioMs - (this.#frameHold ? this.#usualLead.ms : 0);
    if (!this.#isPaused(video, ms, frameMs)) return;
    if (this.#frameHold) {
      this.#holdThrough(video, this.#frameHold, ms);
      this.#holdFrame(video, this.#frameHold, ms, frameMs);
    } else this.#cutBefore(ms, false, frameMs);
  }

  /** Whether video has paused at `ms`, so that a part or the last frame would become too long. */
  #isPaused({ lastMs, frameMs }: VideoQueue, ms: number, audioFrameMs: number): boolean {
    if (this.#heldUntilMs !== undefined) return true;
    if (lastMs === undefined) return false;
    const { partMs, segmentMs, stalledVideoMs } = this.#limits;
    if (!this.#frameHold) return ms - lastMs > stalledVideoMs;
    // At low frame rates parts are longer. The playlist declares a part duration a tenth above the target.
    const toleranceMs = Math.max(LATE_MS, Math.min(1.5 * frameMs, segmentMs / 2));
    return ms - lastMs > toleranceMs && ms + audioFrameMs - this.#partStartMs > 1.1 * partMs;
  }

  /** Holds the last frame while only audio arrives. A pause of the whole publish does not extend segments. */
  #holdThrough(video: VideoQueue, hold: FrameHold, ms: number): void {
    const { segmentMs } = this.#limits;
    const lastMs = this.#heldUntilMs ?? video.lastMs;
    // Neither a held frame nor a segment may exceed the longest duration.
    const isFull = this.#heldUntilMs !== undefined || ms - this.#segmentStartMs > this.#maxSegmentMs();
    const maxGapMs = isFull ? LATE_MS : segmentMs;
    if (lastMs === undefined || ms - lastMs <= maxGapMs) return;
    const dueMs = this.#heldUntilMs ?? Math.max(this.#segmentStartMs + segmentMs, lastMs + video.frameMs);
    for (let cutMs = dueMs; cutMs < ms; cutMs += segmentMs) this.#holdFrame(video, hold, cutMs, 0);
  }

  /** The last frame lasts to the end of the segment; the next segment begins with a replay of its GOP. */
  #holdFrame(video: VideoQueue, hold: FrameHold, ms: number, frameMs: number): void {
    const { segmentMs } = this.#limits;
    if (this.#heldUntilMs === undefined) {
      this.#heldUntilMs = Math.max(this.#segmentStartMs + segmentMs, ms);
      video.endHeldFrame(this.#heldUntilMs);
    }
    const isDue = ms + frameMs >= this.#heldUntilMs;
    if (this.#cutBefore(ms, isDue, frameMs) !== 'segment') return;
    this.#heldUntilMs = Math.max(this.#heldUntilMs, ms) + segmentMs;
    for (const frame of hold.replay(ms)) {
      video.endHeldFrame(frame.dts);
      this.#addFrame(video, frame);
    }
    video.endHeldFrame(this.#heldUntilMs);
  }

  #cutBefore(ms: number, canStartSegment: boolean, frameMs: number): Cut {
    if (this.#isCutRequested && canStartSegment) {
      this.#isCutRequested = false;
      if (ms > this.#partStartMs) this.#closePart(ms, false);
      this.#closeSegment();
      return 'segment';
    }
    const cutKind = this.#decideCut(ms, {
      sinceSegmentMs: ms - this.#segmentStartMs,
      sincePartMs: ms - this.#partStartMs,
      segmentBytes: this.#segmentBytes + (this.#video?.bytes ?? 0) + (this.#audio?.bytes ?? 0),
      partSamples: (this.#video?.count ?? 0) + (this.#audio?.count ?? 0),
      frameMs,
      canStartSegment,
      isIndependent: this.#isSegmentIndependent ?? true,
      maxMs: this.#maxSegmentMs(),
    });
    if (cutKind === 'none') return cutKind;
    this.#closePart(ms, false);
    if (cutKind === 'part') return cutKind;
    this.#closeSegment();
    if (cutKind === 'forced') this.#report('forced_cut', 'a segment had to be cut without a keyframe');
    return cutKind;
  }

  #closePart(endMs: number, isComplete: boolean): void {
    const video = this.#video?.takeSamples();
    const audio = isComplete
      ? this.#audio?.takeAllSamples(Math.ceil(this.#endMs))
      : this.#audio?.takeSamplesBefore(endMs);
    if (!video && !audio) return;
    const data = buildMediaPart({ sequence: ++this.#sequence, video, audio });
    const independent = this.#video ? video?.samples[0]?.key === true : true;
    const bytes = data.reduce((sum, { length }) => sum + length, 0);
    this.#emit({
      type: 'part',
      data,
      bytes,
      startMs: this.#partStartMs,
      durationMs: endMs - this.#partStartMs,
      independent,
      videoFrames: video?.samples.length ?? 0,
      endMs: Math.max(endMs, isComplete ? this.#endMs : 0),
    });
    this.#isSegmentIndependent ??= independent;
    this.#segmentBytes += bytes;
    this.#partStartMs = endMs;
  }

  #closeSegment(): void {
    if (this.#isSegmentIndependent === undefined) return;
    this.#emit({
      type: 'segment',
      startMs: this.#segmentStartMs,
      durationMs: this.#partStartMs - this.#segmentStartMs,
      independent: this.#isSegmentIndependent,
    });
    this.#segmentStartMs = this.#partStartMs;
    this.#segmentBytes = 0;
    this.#isSegmentIndependent = undefined;
  }

  #reportLongGop(): void {
    const seconds = this.#limits.longGopMs / 1000;
    this.#report('long_gop', `no keyframe for ${seconds} s; set the encoder's keyframe interval to 2 s`);
  }

  #reportDroppedAudio(): void {
    this.#report('audio_dropped', 'audio timestamps do not match the video; audio frames were dropped');
  }

  #report(code: IssueCode, message: string): void {
    if (this.#reportedIssues.has(code)) return;
    this.#reportedIssues.add(code);
    this.#emit({ type: 'issue', code, message });
  }
}
