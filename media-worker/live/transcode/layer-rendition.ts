import type { VideoPacket, MediaPacket } from '@/media-worker/media/packets/media-packet';
import { displaySize, parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import { Rendition, type TimedPeriod } from '@/media-worker/media/packaging/rendition';
import type { FeatureHost } from '@/media-worker/media/packaging/session-feature';
import { LiveWindow } from '@/media-worker/media/packaging/window';
import type { Clock } from '@/lib/infra/clock';
import { LayerQueue, type LayerFrame } from './layer-queue';
import { RenditionFeed } from './rendition-feed';
import { BOUNDARY_TOLERANCE_MS, positionOfKey, START_TOLERANCE_MS } from './rendition-packager';
import type { SourceTimes } from './source-times';

interface LayerRenditionOptions {
  readonly host: FeatureHost;
  readonly clock: Clock;
  /** Returns the name of the rendition, which no profile of the stream has. */
  readonly name: () => string;
  readonly times: SourceTimes;
}

/**
 * The rendition of one layer. Its segments are those of the source. A segment for which the layer has no keyframe gets the
 * video of the source, so that viewers of the rendition never wait for a layer that is paused.
 */
export class LayerRendition {
  readonly #options: LayerRenditionOptions;
  readonly #queue: LayerQueue;
  #rendition: Rendition | null = null;
  #period: TimedPeriod | null = null;
  /** Feed of the current period; null before the first frame of the period. */
  #feed: RenditionFeed | null = null;
  /** The highest segment number in use, because numbers cannot be reused. */
  #lastMsn = -1;
  /** Where the frames of the current segment come from; null before the first segment of the period. */
  #frameSource: 'layer' | 'source' | null = null;
  /** Configuration of the frames that the feed got last; null before the first. */
  #configPayload: Buffer | null = null;
  #receivedAtMs = -Infinity;

  constructor(options: LayerRenditionOptions) {
    this.#options = options;
    this.#queue = new LayerQueue(options.times);
  }

  /** Monotonic milliseconds of the last packet of the layer; -Infinity before the first. */
  get receivedAtMs(): number {
    return this.#receivedAtMs;
  }

  /** Name of the rendition; null while there is none. */
  get name(): string | null {
    return this.#rendition?.name ?? null;
  }

  push(packet: VideoPacket): void {
    this.#receivedAtMs = this.#options.clock.monotonic();
    this.#queue.push(packet);
  }

  /** Called when another publisher becomes the source. */
  restart(): void {
    this.#queue.restart();
  }

  /** Called when a period of the source starts, which may have other tracks. */
  startPeriod(period: TimedPeriod): void {
    this.#period = period;
    this.#frameSource = null;
    this.#configPayload = null;
  }

  endPeriod(): void {
    // The frames of the layer up to the end of its last segment. `advance` has not added them if the source ended earlier,
    // because the layer that was the source has paused.
    const endMs = this.#options.host.renditions.source.window.findSegment(this.#lastMsn)?.endMs ?? -Infinity;
    const lastFrames =
      this.#frameSource === 'layer' ? this.#queue.takeFramesUntil(endMs - BOUNDARY_TOLERANCE_MS) : [];
    for (const layerFrame of lastFrames) this.#pushFrame(layerFrame);
    this.#closeFeed(true);
    this.#period = null;
  }

  pushAudio(packet: MediaPacket): void {
    this.#feed?.pushAudio(packet);
  }

  /** Adds the frames of the layer up to a frame of the source, or this frame if the segment shows the source. */
  advance(sourceFrame: VideoPacket): void {
    const sourceMsn = this.#startedMsn(sourceFrame);
    for (const layerFrame of this.#queue.takeFramesUntil(sourceFrame.dts)) {
      const msn = this.#startedMsn(layerFrame.frame);
      // Without a keyframe, the picture at the start of a segment comes from the source.
      const isReplaced =
        sourceMsn !== null && sourceMsn > this.#lastMsn && layerFrame.frame.dts >= sourceFrame.dts;
      if (msn !== null) this.#beginSegment('layer', msn, layerFrame);
      else if (this.#frameSource === 'layer' && !isReplaced) this.#pushFrame(layerFrame);
    }
    const config = this.#rendition && this.#sourceConfig;
    if (!config) return;
    if (sourceMsn !== null && sourceMsn > this.#lastMsn)
      this.#beginSegment('source', sourceMsn, { config, frame: sourceFrame });
    else if (this.#frameSource === 'source') this.#pushFrame({ config, frame: sourceFrame });
  }

  /** Removes the rendition. May be called twice. */
  remove(): void {
    this.#closeFeed(false);
    this.#frameSource = null;
    this.#queue.restart();
    if (this.#rendition) this.#options.host.renditions.remove(this.#rendition);
    this.#rendition = null;
  }

  get #sourceConfig(): VideoPacket | null {
    const video = this.#period?.tracks.video;
    if (video?.coding !== 'avc') return null;
    const configFields = { dts: 0, pts: 0, role: 'config', key: false } as const;
    return { ...configFields, kind: 'video', codec: 'avc', payload: video.record };
  }

  /** Number of the segment that begins at a frame; null if none does, or the rendition has it already. */
  #startedMsn(frame: VideoPacket): number | null {
    const { window } = this.#options.host.renditions.source;
    const position = frame.key ? positionOfKey(window, frame) : undefined;
    if (!position || position.msn <= this.#lastMsn) return null;
    return frame.dts - position.startMs <= START_TOLERANCE_MS ? position.msn : null;
  }

  #beginSegment(frameSource: 'layer' | 'source', msn: number, layerFrame: LayerFrame): void {
    const feed = this.#openFeed(layerFrame);
    if (!feed) return;
    this.#frameSource = frameSource;
    this.#lastMsn = msn;
    const { config } = layerFrame;
    if (frameSource === 'layer' && this.#rendition)
      this.#rendition.layerSize = sizeOf(config) ?? this.#rendition.layerSize;
    if (this.#configPayload?.equals(config.payload)) this.#pushFrame(layerFrame);
    else feed.changeVideo(config, placeAfter(layerFrame.frame, feed.videoMs));
    this.#configPayload = config.payload;
  }

  #pushFrame({ config, frame }: LayerFrame): void {
    const feed = this.#feed;
    if (!feed || this.#configPayload?.equals(config.payload) === false) return;
    feed.pushVideo(placeAfter(frame, feed.videoMs));
  }

  #openFeed({ config }: LayerFrame): RenditionFeed | null {
    if (this.#feed || !this.#period) return this.#feed;
    const { host, clock, name } = this.#options;
    const { audio } = this.#period.tracks;
    const rendition = this.#rendition ?? new Rendition(name(), new LiveWindow({ clock }));
    rendition.layerSize ??= sizeOf(config);
    // An unreadable configuration cannot be packaged.
    if (!rendition.layerSize) return null;
    const feed = new RenditionFeed({
      rendition,
      audio,
      leader: host.renditions.source.window,
      fromMsn: this.#lastMsn + 1,
      onError: (error) => host.log.error({ err: error, rendition: rendition.name }, 'packaging failed'),
    });
    this.#feed = feed;
    if (this.#rendition) return feed;
    this.#rendition = rendition;
    host.renditions.add(rendition);
    return feed;
  }

  #closeFeed(isComplete: boolean): void {
    if (!this.#feed) return;
    this.#feed.end(isComplete);
    this.#lastMsn = Math.max(this.#lastMsn, this.#feed.lastMsn);
    this.#feed = null;
    this.#configPayload = null;
  }
}

function sizeOf({ payload }: VideoPacket): Rendition['layerSize'] {
  const config = parseOrNull(() => parseAvcConfig(payload));
  return config && displaySize(config);
}

/** The frame, delayed if necessary so that decode times increase when frames of layer and source follow each other. */
function placeAfter(frame: VideoPacket, lastMs: number): VideoPacket {
  const dts = Math.max(frame.dts, lastMs + 1);
  return dts === frame.dts ? frame : { ...frame, dts, pts: frame.pts + dts - frame.dts };
}
