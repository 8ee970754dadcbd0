import { SingleFlight } from '@/lib/core/single-flight';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { LocatedAsset } from '@/lib/domain/assets';
import { findBestRenditionUri, findPicture } from '@/lib/core/media/picture-request';
import { assetKey } from '@/lib/core/storage-keys';
import type { Logger } from '@/lib/infra/logger';
import type { StorageDriver } from '@/lib/infra/storage';
import { planPicture, planPreview } from '@/media-worker/media/ffmpeg/picture-args';
import { runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { FairQueue } from '@/media-worker/kit/process/fair-queue';
import { within } from '@/lib/infra/within';
import { openStored } from './open-stored';
import { PictureCache } from './picture-cache';

const limits = {
  /** How long a request waits; the picture is finished for the next request. */
  waitMs: 8_000,
  /** Maximum number of pictures in the queue: per address, per asset, and in total. */
  waiting: { perClient: 16, perSubject: 32, total: 128 },
  /** Timeout of ffmpeg. */
  ffmpegTimeoutMs: 15_000,
  /** A picture that the video does not have is not looked for again for this long. */
  noPictureMs: 60_000,
  /** Maximum sizes of the files that are read, and of a picture. */
  playlistBytes: 4_000_000,
  segmentBytes: 200_000_000,
  pictureBytes: 4_000_000,
};
/** The time after which a picture that was not ready can be requested again, in seconds. */
export const RETRY_AFTER_SECONDS = 5;
const sandbox = { memory: 2_000_000_000, fileSize: limits.pictureBytes, cpuSeconds: 20 };
const PREVIEW_WIDTH = 320;

/** The asset of a requested picture, and the viewer who requested it. */
export interface PictureViewer {
  readonly asset: LocatedAsset;
  /** The address of the viewer. */
  readonly client: string;
}

/**
 * Why there are no bytes. `no-picture`: the video has no frame at this time. `not-ready`: the picture failed in the last
 * seconds, takes longer than a request waits, or the queue is full.
 */
type PictureFailure = 'no-picture' | 'not-ready';

/** What a picture shows, and in which form. */
interface PictureSpec {
  readonly plan: typeof planPicture;
  readonly time: number;
  readonly width: number;
  readonly suffix: 'jpg' | 'webp';
}

interface PictureSources {
  /** The storage as viewers read it, including HLS that is made from indexes. */
  readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  readonly log: Logger;
}

/**
 * Makes pictures of assets at any time from the one segment that shows it, so that a file on S3 is not downloaded for one
 * frame. One ffmpeg runs at a time, with low priority and in the sandbox. Concurrent viewers share its result, and addresses
 * and assets take turns (ADR 54).
 */
export class AssetPictures {
  readonly #sources: PictureSources;
  readonly #timeouts: Pick<typeof limits, 'waitMs' | 'ffmpegTimeoutMs'>;
  readonly #queue = new FairQueue(limits.waiting);
  readonly #jobs = new SingleFlight<Buffer | null>();
  readonly #pictures = new PictureCache();
  /** Results of recent failures, by the name of the picture. */
  readonly #failures = new LRUCache<string, PictureFailure>({ max: 10_000, ttl: limits.noPictureMs });
  readonly #closing = new AbortController();

  constructor(
    sources: PictureSources,
    { waitMs = limits.waitMs, ffmpegTimeoutMs = limits.ffmpegTimeoutMs } = {},
  ) {
    this.#sources = sources;
    this.#timeouts = { waitMs, ffmpegTimeoutMs };
  }

  /**
   * Returns a JPEG from the cache, or creates it.
   * @param time seconds
   * @param width pixels
   * @returns the bytes, or why there are none
   */
  getPicture(viewer: PictureViewer, time: number, width: number): Promise<Buffer | PictureFailure> {
    return this.#get(viewer, { plan: planPicture, time, width, suffix: 'jpg' });
  }

  /**
   * Returns an animated WebP of three seconds from the cache, or creates it.
   * @param time of the first frame, seconds
   * @returns the bytes, or why there are none
   */
  getAnimatedPreview(viewer: PictureViewer, time: number): Promise<Buffer | PictureFailure> {
    return this.#get(viewer, { plan: planPreview, time, width: PREVIEW_WIDTH, suffix: 'webp' });
  }

  /** Stops the pictures in progress. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#jobs.waitForAll();
  }

  async #get({ asset, client }: PictureViewer, pictureSpec: PictureSpec): Promise<Buffer | PictureFailure> {
    const name = [asset.filesId, pictureSpec.suffix, pictureSpec.time, pictureSpec.width].join(' ');
    const cachedPicture = this.#pictures.get(name);
    if (cachedPicture) return cachedPicture;
    const failure = this.#failures.get(name);
    if (failure) return failure;
    let pendingPicture = this.#jobs.find(name);
    if (!pendingPicture) {
      const job = this.#queue.run({ client, subject: asset.filesId }, () =>
        this.#createPicture(asset, pictureSpec),
      );
      if (!job) return 'not-ready';
      pendingPicture = this.#jobs.run(name, () => job);
      pendingPicture.then(
        (bytes) => {
          if (bytes) this.#pictures.set(asset.filesId, name, bytes);
          else this.#failures.set(name, 'no-picture');
        },
        () => void this.#failures.set(name, 'not-ready', { ttl: RETRY_AFTER_SECONDS * 1_000 }),
      );
    }
    try {
      return (await within(this.#timeouts.waitMs, pendingPicture)) ?? 'no-picture';
    } catch (error) {
      this.#sources.log.warn(
        { err: error, assetId: asset.assetId, time: pictureSpec.time },
        'picture of an asset not ready',
      );
      return 'not-ready';
    }
  }

  /**
   * Creates a picture from the segment that shows it.
   * @returns null if the video has no such picture
   * @throws errors of the storage, or of an ffmpeg that was aborted or killed
   */
  async #createPicture(
    { filesId }: LocatedAsset,
    { plan, time, width, suffix }: PictureSpec,
  ): Promise<Buffer | null> {
    this.#closing.signal.throwIfAborted();
    const mediaPlaylist = await this.#readMediaPlaylist(filesId);
    const position = mediaPlaylist && findPicture(mediaPlaylist.playlist, time);
    if (!position) return null;
    const folder = await mkdtemp(join(tmpdir(), 'headwater-picture-'));
    try {
      const [input, output] = [join(folder, 'segment.mp4'), join(folder, `picture.${suffix}`)];
      for (const file of [position.init, position.segment])
        await this.#append(input, filesId, mediaPlaylist.folder + file);
      // The offset of a rounded duration may lie after the last frame; then the first frame of the segment is used.
      for (const offset of [position.offset, 0]) {
        await this.#run(plan({ input, output, offsetSeconds: offset, width }));
        if ((await stat(output).catch(() => null))?.size) return await readFile(output);
        if (offset === 0) break;
      }
      return null;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #run(plan: ReturnType<typeof planPicture>): Promise<void> {
    const timeout = AbortSignal.timeout(this.#timeouts.ffmpegTimeoutMs);
    const signal = AbortSignal.any([this.#closing.signal, timeout]);
    const result = await runFfmpeg(plan, { nice: 10, sandbox, signal }).whenDone;
    signal.throwIfAborted();
    // Another failure says that the segment cannot be decoded, which the missing output shows as well.
    if (!result.ok && result.isKilled) throw new Error(result.reason);
  }

  /** The media playlist of the best rendition, with its folder below the asset's HLS. */
  async #readMediaPlaylist(filesId: string): Promise<{ playlist: string; folder: string } | null> {
    const masterPlaylist = await this.#readText(filesId, 'index.m3u8');
    const uri = masterPlaylist && findBestRenditionUri(masterPlaylist);
    const playlist = uri && (await this.#readText(filesId, uri));
    return playlist ? { playlist, folder: uri.slice(0, uri.lastIndexOf('/') + 1) } : null;
  }

  async #readText(filesId: string, file: string): Promise<string | null> {
    const source = await this.#open(filesId, file, limits.playlistBytes);
    return source && text(source);
  }

  async #append(path: string, filesId: string, file: string): Promise<void> {
    const source = await this.#open(filesId, file, limits.segmentBytes);
    if (!source) throw new Error(`The playlist of the asset names a missing file: ${file}`);
    await pipeline(source, createWriteStream(path, { flags: 'a' }));
  }

  async #open(filesId: string, file: string, maxBytes: number) {
    const key = assetKey(filesId, `hls/${file}`);
    const object = await this.#sources.storage.head(key);
    if (!object) return null;
    if (object.bytes > maxBytes) throw new Error(`${file} is too large for pictures`);
    return openStored(this.#sources.storage, key);
  }
}
