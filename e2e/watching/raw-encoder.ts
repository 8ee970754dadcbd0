import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RtmpClient } from '@/media-worker/ingest/rtmp/testing/rtmp-client';
import { createSourceFile } from '../media/testing/encoder';

/** An FLV tag of a source, with the time at which it is sent. */
export interface Tag {
  readonly kind: 'audio' | 'video';
  /** Whether the tag is a sequence header. */
  readonly isConfig: boolean;
  readonly isKeyframe: boolean;
  /** Timestamp of the tag, ms. */
  readonly timestampMs: number;
  /** Time at which the tag is sent, in ms after the start of the publish. */
  readonly sendTimeMs: number;
  readonly body: Buffer;
}

/** Bytes before the first tag of an FLV file: the file header, and the size of the previous tag, which is 0. */
const HEADER_BYTES = 9 + 4;
const TAG_HEADER_BYTES = 11;
/** Tag types of FLV. */
const AUDIO_TYPE = 8;
const VIDEO_TYPE = 9;

/** Parses the audio and video tags of an FLV file. */
function parseTags(file: Buffer): Tag[] {
  const tags: Tag[] = [];
  for (let offset = HEADER_BYTES; offset + TAG_HEADER_BYTES <= file.length;) {
    const type = file.readUInt8(offset);
    const length = file.readUIntBE(offset + 1, 3);
    // The fourth byte of a timestamp is its most significant one.
    const timestampMs = file.readUIntBE(offset + 4, 3) + file.readUInt8(offset + 7) * 2 ** 24;
    const body = file.subarray(offset + TAG_HEADER_BYTES, offset + TAG_HEADER_BYTES + length);
    // The second byte of H.264 and AAC tags is 0 for a sequence header. The upper four bits of the first byte of a video tag
    // are 1 for a keyframe.
    const isConfig = body[1] === 0;
    const isKeyframe = type === VIDEO_TYPE && (body[0] ?? 0) >> 4 === 1;
    if (type === AUDIO_TYPE || type === VIDEO_TYPE)
      tags.push({
        kind: type === AUDIO_TYPE ? 'audio' : 'video',
        isConfig,
        isKeyframe,
        timestampMs,
        sendTimeMs: timestampMs,
        body,
      });
    // The size of the tag follows it, in four bytes.
    offset += TAG_HEADER_BYTES + length + 4;
  }
  return tags;
}

export interface FlvSource {
  /** Sequence headers, which are sent only before the first loop. */
  readonly configs: readonly Tag[];
  readonly frames: readonly Tag[];
  readonly lengthMs: number;
}

/**
 * Creates an FLV source of 20 s with H.264 and AAC.
 * @param outputArgs ffmpeg output options, for example another codec; by default the test source is copied
 */
export async function encodeSource(
  size: string,
  outputArgs: readonly string[] = ['-c', 'copy'],
): Promise<FlvSource> {
  const path = join(tmpdir(), `raw-encoder-${randomUUID()}.flv`);
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-y', '-i', await createSourceFile({ size }), ...outputArgs],
    ...['-f', 'flv', path],
  ]);
  const tags = parseTags(await readFile(path));
  await rm(path);
  return {
    configs: tags.filter(({ isConfig }) => isConfig),
    frames: tags.filter(({ isConfig }) => !isConfig),
    lengthMs: 20_000,
  };
}

/** A section of joined sources. It begins at the end of the previous one. */
export interface SourceSection {
  /** End of the section, in milliseconds. */
  readonly untilMs: number;
  readonly video: FlvSource;
  readonly audio: FlvSource;
}

/**
 * Joins sections of several sources into one source whose parameters change. Each section should start at a keyframe.
 * `configs` of the result is empty, because `frames` contains the sequence headers of each section.
 */
export function joinSections(sections: readonly SourceSection[]): FlvSource {
  const frames = sections.flatMap(({ untilMs, ...codedSources }, index) => {
    const fromMs = sections[index - 1]?.untilMs ?? 0;
    const tags = (kind: Tag['kind'], source: FlvSource) => [
      ...source.configs
        .filter((tag) => tag.kind === kind)
        .map((tag) => ({ ...tag, timestampMs: fromMs, sendTimeMs: fromMs })),
      ...source.frames.filter(
        (tag) => tag.kind === kind && tag.timestampMs >= fromMs && tag.timestampMs < untilMs,
      ),
    ];
    return [...tags('video', codedSources.video), ...tags('audio', codedSources.audio)].toSorted(
      (a, b) => a.sendTimeMs - b.sendTimeMs,
    );
  });
  return { configs: [], frames, lengthMs: sections.at(-1)?.untilMs ?? 0 };
}

/** Changes, repeats or drops a tag before an encoder sends it. Null drops the tag. */
export type TagChange = (tag: Tag, index: number) => Tag | readonly Tag[] | null;

/** An RTMP publisher that sends a source in a loop, with a change to each tag. */
export class RawEncoder {
  readonly #client: RtmpClient;
  readonly #stopping = new AbortController();
  readonly #whenStopped: Promise<void>;

  private constructor(client: RtmpClient, source: FlvSource, changeTag: TagChange) {
    this.#client = client;
    this.#whenStopped = this.#sendInLoop(source, changeTag);
  }

  static async start(
    port: number,
    streamKey: string,
    source: FlvSource,
    changeTag: TagChange,
  ): Promise<RawEncoder> {
    const client = await RtmpClient.connectAndPublish(port, streamKey);
    await client.waitForText('NetStream.Publish.Start');
    return new RawEncoder(client, source, changeTag);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#whenStopped;
    this.#client.end();
  }

  async #sendInLoop({ configs, frames, lengthMs }: FlvSource, changeTag: TagChange): Promise<void> {
    const startedAt = performance.now();
    let index = 0;
    let delayedTags: Tag[] = [];
    for (let loop = 0; !this.#stopping.signal.aborted && !this.#client.closed; loop++) {
      const tags = (loop === 0 ? [...configs, ...frames] : frames).flatMap((tag) => {
        const shiftedTag = {
          ...tag,
          timestampMs: tag.timestampMs + loop * lengthMs,
          sendTimeMs: tag.sendTimeMs + loop * lengthMs,
        };
        return changeTag(shiftedTag, index++) ?? [];
      });
      const dueTags = [...delayedTags, ...tags].toSorted((a, b) => a.sendTimeMs - b.sendTimeMs);
      const loopEndMs = (loop + 1) * lengthMs;
      delayedTags = dueTags.filter(({ sendTimeMs }) => sendTimeMs >= loopEndMs);
      for (const tag of dueTags.filter(({ sendTimeMs }) => sendTimeMs < loopEndMs)) {
        if (await this.#sleepUntil(startedAt + tag.sendTimeMs)) return;
        this.#client[tag.kind](tag.timestampMs, tag.body);
      }
      if (await this.#sleepUntil(startedAt + loopEndMs)) return;
    }
  }

  /**
   * Sleeps until a time of `performance.now()`.
   * @returns whether the encoder was stopped
   */
  async #sleepUntil(time: number): Promise<boolean> {
    const waitMs = time - performance.now();
    const { signal } = this.#stopping;
    // Timers are not exact enough for shorter waits.
    if (waitMs > 2) await delay(waitMs, undefined, { signal }).catch(() => undefined);
    return signal.aborted;
  }
}
