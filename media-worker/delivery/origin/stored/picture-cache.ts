import { LRUCache } from 'lru-cache';

const MAX_BYTES = 64_000_000;
const MAX_BYTES_PER_ASSET = 8_000_000;

interface CachedPicture {
  readonly filesId: string;
  readonly bytes: Buffer;
}

/** Recently used pictures by name, with a maximum size in total and for each asset. */
export class PictureCache {
  readonly #pictures = new LRUCache<string, CachedPicture>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
    dispose: ({ filesId, bytes }, name) => this.#remove(filesId, name, bytes),
  });
  readonly #byAsset = new Map<string, { bytes: number; readonly names: Set<string> }>();

  /** @param name unique among the pictures of all assets */
  get(name: string): Buffer | undefined {
    return this.#pictures.get(name)?.bytes;
  }

  /** Adds a picture, and evicts the oldest ones of the same asset if they exceed its share. */
  set(filesId: string, name: string, bytes: Buffer): void {
    const assetPictures = this.#byAsset.get(filesId) ?? { bytes: 0, names: new Set() };
    while (assetPictures.names.size > 0 && assetPictures.bytes + bytes.length > MAX_BYTES_PER_ASSET) {
      const [oldest = ''] = assetPictures.names;
      this.#pictures.delete(oldest);
    }
    this.#pictures.set(name, { filesId, bytes });
    assetPictures.bytes += bytes.length;
    assetPictures.names.add(name);
    this.#byAsset.set(filesId, assetPictures);
  }

  #remove(filesId: string, name: string, bytes: Buffer): void {
    const assetPictures = this.#byAsset.get(filesId);
    if (!assetPictures?.names.delete(name)) return;
    assetPictures.bytes -= bytes.length;
    if (assetPictures.names.size === 0) this.#byAsset.delete(filesId);
  }
}
