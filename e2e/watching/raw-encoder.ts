import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RtmpClient } from '@/media-worker/ingest/rtmp/testing/rtmp-client';
import { sourceFile } from '../media/testing/encoder';

/** One FLV tag of an encoder. */
export interface Tag {
  readonly kind: 'audio' | 'video';
  readonly config: boolean;
  readonly key: boolean;
  /** Timestamp of the tag, ms. */
  readonly ts: number;
  /** Time of sending in ms after the start. */
  readonly at: number;
  readonly body: Buffer;
}

const headerBytes = 9 + 4;
const tagHeaderBytes = 11;
const audioType = 8;
const videoType = 9;

/** The tags of an FLV file, without metadata. */
function tagsOf(file: Buffer): Tag[] {
  const tags: Tag[] = [];
  for (let at = headerBytes; at + tagHeaderBytes <= file.length;) {
    const type = file.readUInt8(at);
    const length = file.readUIntBE(at + 1, 3);
    const ts = file.readUIntBE(at + 4, 3) + file.readUInt8(at + 7) * 2 ** 24;
    const body = file.subarray(at + tagHeaderBytes, at + tagHeaderBytes + length);
    const config = body[1] === 0;
    const key = type === videoType && (body[0] ?? 0) >> 4 === 1;
    if (type === audioType || type === videoType)
      tags.push({ kind: type === audioType ? 'audio' : 'video', config, key, ts, at: ts, body });
    at += tagHeaderBytes + length + 4;
  }
  return tags;
}

export interface Film {
  readonly configs: readonly Tag[];
  readonly frames: readonly Tag[];
  readonly lengthMs: number;
}

/** Encodes twenty seconds of H.264 and AAC. @param output ffmpeg options, such as another size or audio codec */
export async function filmOf(size: string, output: readonly string[] = ['-c', 'copy']): Promise<Film> {
  const path = join(tmpdir(), `raw-encoder-${randomUUID()}.flv`);
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-y', '-i', await sourceFile({ size }), ...output],
    ...['-f', 'flv', path],
  ]);
  const tags = tagsOf(await readFile(path));
  await rm(path);
  return {
    configs: tags.filter(({ config }) => config),
    frames: tags.filter(({ config }) => !config),
    lengthMs: 20_000,
  };
}

/** A source that is sent until a time in milliseconds. */
export interface Scene {
  readonly until: number;
  readonly video: Film;
  readonly audio: Film;
}

/** A film whose parameters change. Each scene starts with its sequence headers, at a keyframe. */
export function filmOfScenes(scenes: readonly Scene[]): Film {
  const frames = scenes.flatMap(({ until, ...films }, index) => {
    const from = scenes[index - 1]?.until ?? 0;
    const tags = (kind: Tag['kind'], film: Film) => [
      ...film.configs.filter((tag) => tag.kind === kind).map((tag) => ({ ...tag, ts: from, at: from })),
      ...film.frames.filter((tag) => tag.kind === kind && tag.ts >= from && tag.ts < until),
    ];
    return [...tags('video', films.video), ...tags('audio', films.audio)].toSorted((a, b) => a.at - b.at);
  });
  return { configs: [], frames, lengthMs: scenes.at(-1)?.until ?? 0 };
}

/** A change to what an encoder sends; null: the tag is dropped. */
export type Trouble = (tag: Tag, index: number) => Tag | readonly Tag[] | null;

/** An RTMP publisher that sends a film in a loop with arbitrary timestamps. */
export class RawEncoder {
  readonly #client: RtmpClient;
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;

  private constructor(client: RtmpClient, film: Film, trouble: Trouble) {
    this.#client = client;
    this.#done = this.#play(film, trouble);
  }

  static async start(port: number, key: string, film: Film, trouble: Trouble): Promise<RawEncoder> {
    const client = await RtmpClient.publishing(port, key);
    await client.receives('NetStream.Publish.Start');
    return new RawEncoder(client, film, trouble);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    this.#client.end();
  }

  async #play({ configs, frames, lengthMs }: Film, trouble: Trouble): Promise<void> {
    const begin = performance.now();
    let index = 0;
    let late: Tag[] = [];
    for (let round = 0; !this.#stopping.signal.aborted && !this.#client.closed; round++) {
      const tags = (round === 0 ? [...configs, ...frames] : frames).flatMap((tag) => {
        const shiftedTag = { ...tag, ts: tag.ts + round * lengthMs, at: tag.at + round * lengthMs };
        return trouble(shiftedTag, index++) ?? [];
      });
      const dueTags = [...late, ...tags].toSorted((a, b) => a.at - b.at);
      const untilMs = (round + 1) * lengthMs;
      late = dueTags.filter(({ at }) => at >= untilMs);
      for (const tag of dueTags.filter(({ at }) => at < untilMs)) {
        if (await this.#isStoppedBefore(begin + tag.at)) return;
        this.#client[tag.kind](tag.ts, tag.body);
      }
      if (await this.#isStoppedBefore(begin + untilMs)) return;
    }
  }

  /** Waits until a time of `performance.now()`. @returns whether the encoder was stopped before */
  async #isStoppedBefore(time: number): Promise<boolean> {
    const wait = time - performance.now();
    const { signal } = this.#stopping;
    // Shorter waits are left out: timers are not that exact.
    if (wait > 2) await delay(wait, undefined, { signal }).catch(() => undefined);
    return signal.aborted;
  }
}
